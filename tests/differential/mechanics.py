"""Rules that were written to be awkward: every edge, every exception, and the order in which things are asked for."""

from typing import Final

CHARTS: Final = """
option harsh "harsh edges"
option soft  one of neither, left, right, both = neither

record unit
  arm   one of foot, horse
  size  0..9 = 3
  dug   yes/no

facts
  strength  -3..40
  ratio_a   0..60
  ratio_b   1..12
  num       -20..
  den       -2..
  length    number -4..12
  weather   one of fair, rain, mud = fair
  column    0..9 = 4
  night     yes/no
  units     list of unit

chart edges "Each edge otherwise"
  down    2d6
  across  strength, column at or below
  column below     gives low, or refuse too_weak when harsh, or stays when night
  shift off left   stays, or gives miss when soft is left or both
  shift off right  stays, or gives wild when soft is right or both, or refuse too_wild when harsh
  row below        stays, or gives under when night
  row above        gives over, or stays when harsh
  | 2d6  | 2 | 5 | 9 | 14 |
  | 3..4 | a | b | c | d  |
  | 5,6  | e | f | g | h  |
  | 7    | a | a | b | b  |
  | 8-10 | c | d | e | f  |
  erratum row 7, column 9 reads z "printed wrongly" when night
  erratum row "5,6", column 14 reads y "printed wrongly"

modifiers columns shift columns of edges
  -3  rain   weather is rain
  +4  mud    weather is mud
  for each unit
    +2  horse  arm is horse
      but -1 when weather is mud
      but not when night
    (size)  big  size >= 5
modifiers more_columns shift columns of edges, only the highest
  +1  one    column >= 3
  +2  two    column >= 6
  -2  dark   night
modifiers rolls add to roll of edges
  +2  dug   column is even
  for each unit
    -4  in_holes  dug
  net at most 3
  net at least -2

chart ratio
  down    d6
  across  ratio_a / ratio_b, column at or below
  column below  gives none
  column above  stays
  | d6 | 1:3 | 1:2 | 1:1 | 3:2 | 2:1 | 5:1 |
  | 1-3 | a  |  b  |  c  |  d  |  e  |  f  |
  | 4-6 | b  |  c  |  d  |  e  |  f  |  g  |

chart ratio_up
  down    d6
  across  num / den, column at or above
  column above  gives much, or stays when night
  | d6 | 1:2 | 2:3 | 1:1 | 3:1 |
  | 1+ |  a  |  b  |  c  |  d  |

chart above
  down    length, row at or above
  across  weather
  row above  refuse too_long "too long"
  cells   numbers
  | Up to | fair | rain, mud |
  |  -1   |  1   |  2        |
  |   3   |  3   |  4        |
  |  7.5  |  5   |  6        |

chart near
  down    length, row at or above
  cells   words
  | Up to | Word |
  |  1.5  | zero |
  |  3.5  | three |
  |   7   | four |
  |  12   | ten  |

chart paged
  pages   weather
  down    d6
  across  column, column at or below
  cells   numbers
  page fair
  | Die | 0 | 3 | 7 |
  | 1-3 | 0 | 1 | 2 |
  | 4-6 | 3 | 4 | 5 |
  page rain
  | Die | 0 | 3 | 7 |
  | 1-3 | 6 | 7 | 8 |
  | 4-6 | 9 | 0 | 1 |
  page mud
  | Die | 0 | 3 | 7 |
  | 1-3 | 9 | 7 | 8 |
  | 4-6 | 6 | 0 | 1 |

chart found "Find the score"
  down    weather
  find    strength
  column below  stays, or gives nothing when night
  column above  gives much, or stays when harsh
  | Weather | rout | back | hold |
  | fair    |  1   | 2-3  | 4-9  |
  | rain    |  1-2 | 3-5  | 6..12 |
  | mud     |  1-4 | 5-8  | 9..30 |

chart classes
  down    column, row at or below
  across  weather
  inside  1..3 of ratio_b but at most 3
  | Column | fair | rain | mud |
  |   0    | M M 0 | M 0 0 | 0 0 0 |
  |   4    | 1 M 0 | 1 0 0 | M 0 0 |
  |   7    | 1 1 M | 1 M 0 | 1 M 0 |
  erratum row 4, column rain, inside 2 reads X "all" when night

chart headers
  down    d6
  across  column
  column below  gives low
  column above  stays
  header "Fair" when weather is fair | 1..2 | 3..6 | 7..8 |
  header "Rain" when weather is rain |  •   | 1..6 | 7..9 |
  header "Mud"  when weather is mud  | 0..3 | 4    | 5..9 |
  |  d6  |  A  |  B  |  C  |
  | 1..3 |  a  |  b  |  c  |
  | 4..6 |  d  |  e  |  f  |

chart which
  down    weather
  cells   charts
  | Weather | Chart |
  | fair    | ratio |
  | rain    | headers |
  | mud     | ratio |

chart scored (score -5..20, arm)
  down    score
  across  arm
  row below  stays
  row above  gives top
  | Score | foot | horse |
  | 0..2  |  a   |  b    |
  | 3..9  |  c   |  d    |

facts
  arm  one of foot, horse

procedure read_edges
  1. roll 2d6 as fire
  2. read edges with fire as hex
  3. read edges with fire for each unit as shots
  4. give result = hex.code
     give shift = hex.shift
     give base = hex.base_column
     give column_read = hex.column
     give row_read = hex.row
     give roll_read = hex.roll
     give modified = hex.modified
     give added = hex.roll_modifier
  5. give codes = map of reader to code over shots
     give names = columns.names
     give more = more_columns.amounts
     give roll_total = rolls.total

procedure read_others
  1. roll d6 as die
  2. read ratio with die as odds
     read ratio_up with die as up_odds
  3. read which as named
  4. read named with die as inner
  5. read paged with die as page
  6. read headers with die as headed
     read found as search
  7. give codes = [odds.code, headed.code]
  8. give inner = inner
     give page = page
     give above = above
     give word = near
     give class = classes
     give found_column = search.column
     give found_code = search
     give up_odds
     give up_column = up_odds.column
     give score = scored(column * 2 - 5, arm)
"""

MODIFIERS: Final = """
record unit
  arm   one of foot, horse, gun
  size  0..9 = 3

facts
  a  yes/no required
  b  yes/no required
  c  yes/no required
  n  -4..4
  m  number -2..2
  units  list of unit

modifiers together
  +1  zero  n > 0
  never together "a and b exclude each other"
    +1  with_a  a
    (n)  with_b  b
      but +7 when c
      but not when n is 3
    only the first
      -1 first_c  c
      -2 second_c c and n < 0
  when n is not 2
    +3  late  c
      but -3 when a
    never together
      +1  again_a  a
      +1  again_b  not a
  net at most n + 2
  net at least -1

modifiers best (x -9..9), only the highest
  (x)  by_x   a
  -1   by_b   b
  +2   by_c   c
  when b
    only the lowest
      +4  four  a
      +3  three c

modifiers worst, only the lowest
  (m)  by_m   a
  (1/2)  half   b
  (m / 3)  third  c

modifiers units_too
  +1  one  a
  for each unit
    (size)  sized  size > 2
      but +1 when arm is gun
    never together
      +1  foot   arm is foot
      +2  small  size < 2
  only the highest
    +2  two    b
    (n)  fourth c

procedure add
  1. give together_names = together.names
     give together_total = together.total
     give best = best(n)
     give best_names = best(2).names
     give worst = worst.total
     give units_names = units_too.names
  2. let kept = together
  3. give kept_total = kept.total
     give kept_amounts = kept.amounts
     give sum = kept + best(3) * 2
"""

DICE: Final = """
die  bones   faces 1..9, 0 as 10
die  zero    faces 0..9
die  fight   faces 3 x blank, 2 x hit, crit
die  average faces 2, 3, 3, 4, 4, 5
deck chits   of 2 x red, blue, black

players red, blue

facts
  n      0..3
  k      0..3
  limit  1..2
  times  0..2

procedure roll_all
  1. roll n d6 as pool
  2. roll k fight + limit fight as blows
  3. roll 2 average + k bones as mixed by red
  4. give pool = pool.total
     give natural = pool.natural
     give values = mixed.values
     give faces = mixed.faces
     give first = mixed
     give crits = count of blows.values where each is crit
     give doubles = mixed is doubles
     give best = highest 2 of mixed.values
     give odd = sum of (lowest 2 of mixed.values by (10 when each is 2 otherwise each))

procedure roll_again
  1. roll d4 as a, explode on 4 at most 2 times
  2. roll 2d3 as b, reroll 1..2 once
  3. roll bones as c, reroll 10 at most 2 times
  4. give a = a.values
     give b = b.faces
     give c = c

procedure explode_often
  1. roll d2 as a, explode on 2
  2. give a

procedure places
  1. for each x in [1, 4]
       roll d2 as inner
       repeat limit times
         roll d2 as deep
  2. repeat until (count of cards left in chits) < 3, limit 3 times
       draw 1 from chits as hand by blue
       when hand has black: reshuffle chits
  3. give left = cards left in chits

procedure draw_many
  1. draw k from chits as hand
  2. give reds = count of hand where each is red
  3. draw n from chits as more
  4. give more
     give sorted = more
"""

STATE: Final = """
players owner, other

record squad
  size    0..6 = 4
  mood    one of calm, shaken = calm
  lead    squad or none = none
  marks   list of 0.. = []
  gone    yes/no
  worth   number 0..9 = 1

facts
  squads  list of squad
  hero    squad
  hits    0..4
  far     0..5 = 2
  again   yes/no

effect hit "is hit" (squad, amount 1..)
  squad.size becomes squad.size - amount but at least 0
  when squad.size is 0: lose on squad
effect lose "is lost" (squad)
  squad.gone becomes yes
  for each other in (squads where lead is squad and not gone): lose on other
effect shake "is shaken" (squad)
  squad.mood becomes shaken
effect report "is reported" (amount 0..2)
effect wither "withers" (squad, amount 0..9)
  repeat amount times
    amount becomes amount - 1 but at least 0
    squad.size becomes squad.size - amount but at least 0
  report with amount amount but at most 2
effect overdo "goes too far" (squad)
  squad.size becomes squad.size + 3

procedure inner
  facts
    power  0..9
  1. refuse too_far "too far" when far > 3
  2. hit on hero with amount 1
  3. roll d3 as die
  4. give power = power + die
  5. give far

procedure outer
  1. give before = far
  2. call inner with power hits, far (far - 1 but at least 0) as one
       if refused: stop
  3. call inner with power 2 as two
       if refused
         give second_failed = yes
         roll d2 as consolation
         give consolation
  4. call inner with power hits, far 5
       if refused: shake on hero
  5. give power = one.power
     give size = hero.size
     give done = count of effects hit

procedure both
  1. together
       for each squad in squads: hit on squad with amount 1
       when again: hit on hero with amount 2
       shake on hero
       hero.worth becomes hero.worth + 1/2
  2. give sizes = map of squad to size over squads
     give worth = hero.worth

procedure settled
  1. together
       when again: stop
       give still = hero.size
  2. hit on hero with amount 2
  3. give size = hero.size

procedure clash
  1. together
       hero.mood becomes calm
       hero.mood becomes shaken
       when again: shake on hero
  2. give mood = hero.mood

procedure choices
  1. owner chooses target among squads where size > 0 "who", if any
  2. when target is not none
       hit on target with amount hits but at least 1
     otherwise
       report with amount hits
  3. other chooses 2 pair among squads where not gone
  4. for each squad in pair
       owner chooses whether stands
       when not stands: stop
       shake on squad
  5. owner assigns hits hit with amount 1 among squads where size > 0 as losses
  6. owner assigns (hits + 4) hit with amount 1 among squads where size > 0 by (size + 1) as shots
     owner chooses way from left, right
  7. owner chooses split among [[1, 2], [2, 1], [3, 0]]
  8. give way
     give split
     give lost = list of squad over effects lose

procedure too_much
  1. for each squad in squads
       overdo on squad
       give size = squad.size
  2. give shown = squads sorted by size high to low
     give calm = squads where mood is calm
     give nobody = none of squads where size > 5
     give leader_size = list of (lead.size when lead is not none otherwise 0) over squads
     give total = sum of worth over squads where not gone
     give most = highest of size over squads or 0

procedure changing
  1. let n = hits + 1
  2. repeat n times
       n becomes n * 2 - hits
       let m = [n, hits]
       for each x in m
         m becomes [x]
         n becomes n + x but at most 40
  3. wither on hero with amount hits
  4. let both = [n, first_of_two(n, hits)]
     n becomes 0
  5. give n
     give both
     give size = hero.size

procedure looping
  1. let total = hero.size
     let twice = hero.size + total
  2. for each squad in squads
       total becomes total * 2 + hero.size
       when hero.size > 1: hit on hero with amount 1
       when squad.size > hero.size: hit on squad with amount hero.size but at least 1
       total becomes total + squad.size
  3. repeat 2 times
       total becomes total * 2 + hero.size + (count of effects hit)
       hit on hero with amount 1
  4. give total
     give twice

procedure calls_itself
  facts
    level  0..3
    extra  0..9 = 4
  1. give extra
  2. when level > 0
       call calls_itself with level (level - 1 but at least 0) as deeper
       give deeper = deeper.extra

define first_of_two (x 0..99, y 0..99) = x + y - x

procedure forever
  1. let n = 0
  2. repeat until n < 0, limit 400 times
       n becomes n + 1
  3. give n
"""

ORDER: Final = """
facts
  a  yes/no required
  b  yes/no required
  n  0..9
  m  0..9
  k  0..9 = 3
  r  number 0..9
  xs list of -9..9
  w  one of x, y, z
  s  set of x, y, z

define first_of = n when a otherwise m
define both = a and (any of xs where each > n) and b
define either = a or (count of xs where each is m) is 2 or b
define nested = sum of (count of xs where each > 0 and each < n) over xs
define before_loop = n + (count of xs where each > m) * k
define in_a_list = [n, sum of (each * m) over xs, k, sum of (each * r) over xs]
define ratio = (n / (m + 1) rounded down) + (r * 3 rounded up)
define power = (n * n * n - m * k) mod 7
define held = n - m but within k..(k + 2)
define picked = item (k) of [n, m, 4, 5]
define pairs = [first 2 of xs, last 1 of xs]
define halves = [r rounded to nearest, r rounded half down, (0 - r) rounded down, r / 3]
define bigger (x 0..9, y) = x when x > m otherwise y

facts
  y  0..9

procedure ask_sets
  1. give in_list = [n, m] has y
     give in_set = s has w
     give list = [n, count of xs where each > m, k]

procedure ask_sums
  1. give before_loop
     give in_a_list

procedure ask
  1. refuse wrong "wrong" when n > 7 and b
  2. give early = first_of
  3. roll d2 as die
  4. give both
     give either
     give nested
     give ratio
  5. when die is 2
       give power
       let x = m
     otherwise
       let x = k + 1
  6. x becomes x * 2
  7. give x
     give held
     give halves
     give pairs
     give bigger = bigger(k, n) + bigger(n, y)
     give in_set = s has w
     give words = s has x or z
     give neither = w is not x or y
     give lowest = lowest of xs or n
     give highest = highest of (each * m) over xs or k
     give evens = xs where each is even
     give all_small = all of xs < n
     give band = n is 2..5
     give far = xs sorted by (0 - each)
     give mapped = map of each to (each * n) over xs
     give picked
"""

FAMILIES = """
record unit
  hp    0.. = 1
  kind  one of foot, horse
facts
  k      1..3
  guns   0..12
  far    yes/no
  bad    yes/no
  units  list of unit
columns strength of guns
  beside  drop   list of 0..9
  beside  shift  0..3 where NA is none
  column below  gives M
  column above  gives X
  surplus column 4
  header "Far"   when far  | 2,3 | 4+  |  •  | • | 4-6 | NA |
  header "Near"            |  1  | 2,3 | 4-6 | • |     | 2  |
chart a
  down    d6
  across  strength
  shift off left  gives -
  surplus column 4
  erratum row 1-3, column 1 reads -
  | d   | 1  | 2 | 3 | 4 |
  | 1-3 | ?? | - | M | X |
  | 4-6 | -  | M | X | X |
chart b like a
  | d   | 1 | 2 | 3 |
  | 1-5 | - | M | M |
  |  6  | M | X | X |
chart pick
  down   k
  cells  charts
  | k   | chart |
  | 1   |   a   |
  | 2,3 |   b   |
modifiers back shift columns of pick
  -(strength.shift)  bad  bad and not far
  for each unit
    -1  horse  kind is horse
effect hit (unit)
  unit.hp becomes unit.hp - 1 but at least 0
effect check (unit)
results of pick for each unit
  -
  M
    each reader: check
  X
    each reader: hit
procedure families
  1. read pick as table
  2. roll d6 as die
  3. read table with die for each unit as shots
  4. apply shots
  5. give codes    = map of reader to code over shots
     give column   = strength.column
     give outside  = [strength.below, strength.above]
     give header   = strength.header
     give drops    = strength.drop has die.natural
     give hp       = map of unit to hp over units
procedure one_reads
  1. roll d6 as die
  2. read a with die as shot
  3. give result = shot.code
     give number = shot.column_number
     give base   = shot.base_column_number
     give spare  = k when bad otherwise none
"""

TEXTS: Final = {
    "families": FAMILIES,
    "charts": CHARTS,
    "modifiers": MODIFIERS,
    "dice": DICE,
    "state": STATE,
    "order": ORDER,
}
