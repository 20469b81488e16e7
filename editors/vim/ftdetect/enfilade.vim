autocmd BufNewFile,BufRead *.rules setfiletype enfilade
