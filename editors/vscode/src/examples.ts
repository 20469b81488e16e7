// Marks beside the examples: how each one went, and a note behind each line that does not match.
import {
  type DecorationOptions, type Disposable, MarkdownString, Range, StatusBarAlignment, type TextDocument, type TextEditorDecorationType, ThemeColor, Uri, window, workspace,
} from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

import { delayed, type ExampleResult, marksOf, summaryOf } from "./answers";

/** After an edit, the examples run when nobody has typed for so many milliseconds. */
const PAUSE = 800;

export class ExampleMarks implements Disposable {
  private readonly passed: TextEditorDecorationType;
  private readonly failed: TextEditorDecorationType;
  private readonly notes = window.createTextEditorDecorationType({
    after: { margin: "0 0 0 3ch", color: new ThemeColor("editorError.foreground") },
  });
  private readonly status = window.createStatusBarItem(StatusBarAlignment.Left);
  private readonly results = new Map<string, readonly ExampleResult[]>();
  private readonly wrong = new Set<string>();
  private readonly rerun = delayed(PAUSE, () => void this.run(window.activeTextEditor?.document));
  private readonly events = [
    workspace.onDidOpenTextDocument((document) => void this.run(document)),
    workspace.onDidSaveTextDocument((document) => void this.run(document)),
    workspace.onDidChangeTextDocument((event) => {
      if (event.document.languageId === "enfilade" && event.contentChanges.length) this.rerun();
    }),
    workspace.onDidCloseTextDocument((document) => this.forget(document.uri.toString())),
    window.onDidChangeVisibleTextEditors(() => this.draw()),
    window.onDidChangeActiveTextEditor(() => this.draw()),
  ];

  constructor(
    private readonly client: LanguageClient,
    folder: Uri,
  ) {
    this.passed = gutterMark(folder, "passed");
    this.failed = gutterMark(folder, "failed");
    this.status.command = "enfilade.runExamples";
    this.status.tooltip = "Enfilade: run the examples of this file";
  }

  /** Run the examples of a text; those of a text with errors keep their marks. */
  async run(document: TextDocument | undefined, asked = false): Promise<void> {
    const wanted = asked || workspace.getConfiguration("enfilade").get<boolean>("runExamples", true);
    if (document?.languageId !== "enfilade" || !wanted || !this.client.isRunning()) return;
    const uri = document.uri.toString();
    const version = document.version;
    // A newer question ends this one; then there is no answer.
    const results = await this.client
      .sendRequest<ExampleResult[] | null>("enfilade/examples", { textDocument: { uri } })
      .catch(() => undefined);
    if (results === undefined || document.version !== version) return;
    if (results === null) {
      // The marks move with the text until the examples run again.
      this.wrong.add(uri);
      if (asked) void window.showInformationMessage("Correct the errors first.");
    } else {
      this.wrong.delete(uri);
      this.results.set(uri, results);
    }
    this.draw();
  }

  dispose(): void {
    for (const each of [...this.events, this.passed, this.failed, this.notes, this.status]) each.dispose();
  }

  private forget(uri: string): void {
    this.results.delete(uri);
    this.wrong.delete(uri);
  }

  private draw(): void {
    for (const editor of window.visibleTextEditors) {
      const shown = editor.document.uri.toString();
      const results = this.results.get(shown);
      if (results === undefined || this.wrong.has(shown)) continue;
      const marks = marksOf(results);
      editor.setDecorations(this.passed, marks.passed.map(({ line, hover }) => at(line, hover)));
      editor.setDecorations(this.failed, marks.failed.map(({ line, hover }) => at(line, hover)));
      editor.setDecorations(
        this.notes,
        marks.notes.map(({ line, hover, text }) => {
          const end = editor.document.lineAt(Math.min(line, editor.document.lineCount - 1)).range.end;
          return { ...at(line, hover), range: new Range(end, end), renderOptions: { after: { contentText: text } } };
        }),
      );
    }
    const active = window.activeTextEditor?.document;
    if (active === undefined) return;
    const uri = active.uri.toString();
    this.status.text = active.languageId === "enfilade" ? summaryOf(this.results.get(uri) ?? [], this.wrong.has(uri)) : "";
    if (this.status.text) this.status.show();
    else this.status.hide();
  }
}

function gutterMark(folder: Uri, name: string): TextEditorDecorationType {
  const gutterIconPath = Uri.joinPath(folder, "images", `${name}.svg`);
  return window.createTextEditorDecorationType({ gutterIconPath, gutterIconSize: "contain" });
}

function at(line: number, hover: string): DecorationOptions {
  return { range: new Range(line, 0, line, 0), hoverMessage: new MarkdownString().appendText(hover) };
}
