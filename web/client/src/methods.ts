// Made by scripts/generate.mjs from the description of the protocol (`enfilade rpc --describe`): npm run generate

/** A value of the rules: `describe` gives the type of each as JSON Schema. */
export type Value = any;
export type Ruleset = string | {
  text: string;
  files?: Record<string, string>;
};

export interface CallOptions {
  /** Cancels the request. */
  signal?: AbortSignal;
  /** Takes the work done, from time to time, while the request is answered. */
  progress?: (work: number) => void;
}

// --------------------------------------------------------------------------------------------------------- parameters

export interface AboutParams {
}

export interface AnswerParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The saved run: the field `save` of an earlier answer. */
  save: string;
  /** The answer. */
  answer?: Value;
  /** The answer as a person would type it; give `text` or `answer`, not both. */
  text?: string;
}

export interface BeginParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The name of the procedure. */
  procedure: string;
  /** The facts by name. */
  facts?: Record<string, Value>;
  /** Known dice: faces in the order of the rolls, or by the name of the roll. */
  dice?: Value[] | Record<string, Value> | string;
  /** Known choices: in the order of the questions, or by the name of the choice. */
  choices?: Value[] | Record<string, Value> | string;
  /** Values of options by name. */
  options?: Record<string, Value>;
  /** The seed of the dice; without a seed, nobody can predict the dice. */
  seed?: number | string;
  /** Whether to ask also for facts that have a default. */
  ask_all?: boolean;
}

export interface CardParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** Html (a whole page) or markdown. */
  form?: "html" | "markdown";
}

export interface ChartParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The name of the chart. */
  chart: string;
}

export interface CheckParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
}

export interface CompareParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The name of the procedure. */
  procedure: string;
  /** The facts by name. */
  facts?: Record<string, Value>;
  /** Known dice: faces in the order of the rolls, or by the name of the roll. */
  dice?: Value[] | Record<string, Value> | string;
  /** Known choices: in the order of the questions, or by the name of the choice. */
  choices?: Value[] | Record<string, Value> | string;
  /** Values of options by name. */
  options?: Record<string, Value>;
  /** How each player chooses: best, worst or random. */
  players?: Record<string, string>;
  /** The policies, by name of the choice: each is an expression of the rules that makes the choice. */
  policy?: Record<string, string>;
  /** The aim of the players: a condition or a number. */
  aim?: string;
  /** Whether to send progress notifications before the answer. */
  progress?: boolean;
  /** The question: an output or a condition; by default the result. */
  of?: string;
  /** What is different in the first situation. */
  a: Record<string, Value>;
  /** What is different in the second situation. */
  b: Record<string, Value>;
  /** The ruleset of the second situation, if it differs. */
  other?: Ruleset;
}

export interface CompleteParams {
  /** The text of a rules file. */
  text: string;
  /** The position in the text, in characters. */
  offset: number;
  /** The ruleset whose names are offered, such as the last version without mistakes; by default, the text itself. */
  ruleset?: Ruleset;
}

export interface CoverageParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
}

export interface DefinitionParams {
  /** The text of a rules file. */
  text: string;
  /** The position in the text, in characters. */
  offset: number;
  /** The other texts that this text uses, by file name. */
  files?: Record<string, string>;
}

export interface DescribeParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
}

export interface DiffParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The new ruleset. */
  other: Ruleset;
  /** The questions; by default the result of each procedure, and its other outputs if the result does not change. */
  of?: string | string[];
  /** How many situations are tried for each question; with 0, no odds are compared. */
  situations?: number;
  /** The seed of the sample of situations. */
  seed?: number;
}

export interface ExplainParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The saved run: the field `save` of an earlier answer. */
  save: string;
  /** Short is one line, usual (the default) is what a player needs, all is every step. */
  length?: "short" | "usual" | "all";
}

export interface FoldingParams {
  /** The text of a rules file. */
  text: string;
}

export interface FormatParams {
  /** The text. */
  text: string;
}

export interface GridParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The name of the procedure. */
  procedure: string;
  /** The facts by name. */
  facts?: Record<string, Value>;
  /** Known dice: faces in the order of the rolls, or by the name of the roll. */
  dice?: Value[] | Record<string, Value> | string;
  /** Known choices: in the order of the questions, or by the name of the choice. */
  choices?: Value[] | Record<string, Value> | string;
  /** Values of options by name. */
  options?: Record<string, Value>;
  /** How each player chooses: best, worst or random. */
  players?: Record<string, string>;
  /** The policies, by name of the choice: each is an expression of the rules that makes the choice. */
  policy?: Record<string, string>;
  /** The aim of the players: a condition or a number. */
  aim?: string;
  /** Whether to send progress notifications before the answer. */
  progress?: boolean;
  /** The question: an output or a condition; by default the result. */
  of?: string;
  /** Count only the cases in which this condition is true; for a list, the cases in which all its conditions are true. */
  condition?: string | string[];
  /** Whether fractions are in lowest terms. */
  lowest_terms?: boolean;
  /** The values to try for each name that varies; null for all values. */
  by: Record<string, Value[] | null>;
}

export interface HoverParams {
  /** The text of a rules file. */
  text: string;
  /** The position in the text, in characters. */
  offset: number;
  /** The other texts that this text uses, by file name. */
  files?: Record<string, string>;
}

export interface LeastParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The name of the procedure. */
  procedure: string;
  /** The facts by name. */
  facts?: Record<string, Value>;
  /** Known dice: faces in the order of the rolls, or by the name of the roll. */
  dice?: Value[] | Record<string, Value> | string;
  /** Known choices: in the order of the questions, or by the name of the choice. */
  choices?: Value[] | Record<string, Value> | string;
  /** Values of options by name. */
  options?: Record<string, Value>;
  /** How each player chooses: best, worst or random. */
  players?: Record<string, string>;
  /** The policies, by name of the choice: each is an expression of the rules that makes the choice. */
  policy?: Record<string, string>;
  /** The aim of the players: a condition or a number. */
  aim?: string;
  /** Whether to send progress notifications before the answer. */
  progress?: boolean;
  /** Count only the cases in which this condition is true; for a list, the cases in which all its conditions are true. */
  condition?: string | string[];
  /** The name of the fact, field, option or definition to vary. */
  fact: string;
  /** The chance to reach: 1/2, 50%. */
  chance: string;
  /** The condition. */
  of: string;
  /** The values to try. */
  within?: Value[];
}

export interface ListParams {
}

export interface MattersParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The name of the procedure. */
  procedure: string;
  /** The facts by name. */
  facts?: Record<string, Value>;
  /** Known dice: faces in the order of the rolls, or by the name of the roll. */
  dice?: Value[] | Record<string, Value> | string;
  /** Known choices: in the order of the questions, or by the name of the choice. */
  choices?: Value[] | Record<string, Value> | string;
  /** Values of options by name. */
  options?: Record<string, Value>;
  /** How each player chooses: best, worst or random. */
  players?: Record<string, string>;
  /** The policies, by name of the choice: each is an expression of the rules that makes the choice. */
  policy?: Record<string, string>;
  /** The aim of the players: a condition or a number. */
  aim?: string;
  /** Whether to send progress notifications before the answer. */
  progress?: boolean;
  /** The question: a condition or a number. */
  of: string;
}

export interface NotifyParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The name of the event. */
  event: string;
  /** The facts by name. */
  facts?: Record<string, Value>;
  /** Values of options by name. */
  options?: Record<string, Value>;
  /** The seed of the dice; without a seed, nobody can predict the dice. */
  seed?: number | string;
}

export interface OddsParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The name of the procedure. */
  procedure: string;
  /** The facts by name. */
  facts?: Record<string, Value>;
  /** Known dice: faces in the order of the rolls, or by the name of the roll. */
  dice?: Value[] | Record<string, Value> | string;
  /** Known choices: in the order of the questions, or by the name of the choice. */
  choices?: Value[] | Record<string, Value> | string;
  /** Values of options by name. */
  options?: Record<string, Value>;
  /** How each player chooses: best, worst or random. */
  players?: Record<string, string>;
  /** The policies, by name of the choice: each is an expression of the rules that makes the choice. */
  policy?: Record<string, string>;
  /** The aim of the players: a condition or a number. */
  aim?: string;
  /** Whether to send progress notifications before the answer. */
  progress?: boolean;
  /** The question, or a list of questions, each an output or a condition; by default the result. */
  of?: string | string[];
  /** Count only the cases in which this condition is true; for a list, the cases in which all its conditions are true. */
  condition?: string | string[];
  /** Whether fractions are in lowest terms. */
  lowest_terms?: boolean;
  /** Whether to answer several questions together, for the same dice. */
  joint?: boolean;
  /** The procedures to play next, in order; each begins with the records as changed by the previous procedure. */
  then?: {
    procedure: string;
    facts?: Record<string, Value>;
    when?: string;
    carry?: Record<string, string>;
  }[];
  /** How many times the whole sequence is played. */
  turns?: number;
  /** The condition that ends the repetition: the whole sequence is played until it is true. */
  until?: string;
  /** With `until`, the largest number of repetitions. */
  at_most?: number;
}

export interface PasteParams {
  /** The pasted text. */
  text: string;
  /** The name of the ruleset. */
  name?: string;
}

export interface PreviewParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The name of the procedure. */
  procedure: string;
  /** The facts by name. */
  facts?: Record<string, Value>;
  /** Values of options by name. */
  options?: Record<string, Value>;
}

export interface ReferencesParams {
  /** The text of a rules file. */
  text: string;
  /** The position in the text, in characters. */
  offset: number;
  /** The other texts that this text uses, by file name. */
  files?: Record<string, string>;
}

export interface RenameParams {
  /** The text of a rules file. */
  text: string;
  /** The position in the text, in characters. */
  offset: number;
  /** The other texts that this text uses, by file name. */
  files?: Record<string, string>;
  /** The new name. */
  name: string;
}

export interface ResolveParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The name of the procedure. */
  procedure: string;
  /** The facts by name. */
  facts?: Record<string, Value>;
  /** Known dice: faces in the order of the rolls, or by the name of the roll. */
  dice?: Value[] | Record<string, Value> | string;
  /** Known choices: in the order of the questions, or by the name of the choice. */
  choices?: Value[] | Record<string, Value> | string;
  /** Values of options by name. */
  options?: Record<string, Value>;
  /** The seed of the dice; without a seed, nobody can predict the dice. */
  seed?: number | string;
  /** Whether to include the explanation; yes by default. */
  explanation?: boolean;
}

export interface ResumeParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The saved run: the field `save` of an earlier answer. */
  save: string;
}

export interface RollParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The saved run: the field `save` of an earlier answer. */
  save: string;
  /** The seed of the dice; without a seed, nobody can predict the dice. */
  seed?: number | string;
  /** Whether the players' choices are made at random too. */
  anything?: boolean;
}

export interface SampleParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The name of the procedure. */
  procedure: string;
  /** The facts by name. */
  facts?: Record<string, Value>;
  /** Known dice: faces in the order of the rolls, or by the name of the roll. */
  dice?: Value[] | Record<string, Value> | string;
  /** Known choices: in the order of the questions, or by the name of the choice. */
  choices?: Value[] | Record<string, Value> | string;
  /** Values of options by name. */
  options?: Record<string, Value>;
  /** How each player chooses: best, worst or random. */
  players?: Record<string, string>;
  /** The policies, by name of the choice: each is an expression of the rules that makes the choice. */
  policy?: Record<string, string>;
  /** The aim of the players: a condition or a number. */
  aim?: string;
  /** Whether to send progress notifications before the answer. */
  progress?: boolean;
  /** The seed of the dice; without a seed, nobody can predict the dice. */
  seed?: number | string;
  /** The question: an output or a condition; by default the result. */
  of?: string;
  /** The number of plays. */
  trials: number;
}

export interface SensitivityParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The name of the procedure. */
  procedure: string;
  /** The facts by name. */
  facts?: Record<string, Value>;
  /** Known dice: faces in the order of the rolls, or by the name of the roll. */
  dice?: Value[] | Record<string, Value> | string;
  /** Known choices: in the order of the questions, or by the name of the choice. */
  choices?: Value[] | Record<string, Value> | string;
  /** Values of options by name. */
  options?: Record<string, Value>;
  /** How each player chooses: best, worst or random. */
  players?: Record<string, string>;
  /** The policies, by name of the choice: each is an expression of the rules that makes the choice. */
  policy?: Record<string, string>;
  /** The aim of the players: a condition or a number. */
  aim?: string;
  /** Whether to send progress notifications before the answer. */
  progress?: boolean;
  /** The question: a condition or a number. */
  of: string;
}

export interface SourceParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
}

export interface SymbolsParams {
  /** The text of a rules file. */
  text: string;
  /** The other texts that this text uses, by file name. */
  files?: Record<string, string>;
}

export interface TestParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
}

export interface TokensParams {
  /** The text of a rules file. */
  text: string;
}

export interface UndoParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The saved run: the field `save` of an earlier answer. */
  save: string;
}

export interface VerifyParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The saved run: the field `save` of an earlier answer. */
  save: string;
  /** The secret of committed dice, sent after the game by the side that rolled. */
  secret?: string;
  /** The commitment, sent before the game by the side that rolled. */
  commitment?: string;
  /** The number that the other side chose. */
  number?: string;
  /** An earlier save of the same run. */
  earlier?: string;
}

export interface WorthParams {
  /** The name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name. */
  ruleset: Ruleset;
  /** The saved run: the field `save` of an earlier answer. */
  save: string;
  /** The question: an output or a condition; by default the result. */
  of?: string;
}

// ------------------------------------------------------------------------------------------------------------ results

/** A run: its question or its outcome, and the save for the next request. */
export type Run = {
  procedure: string;
  save: string;
  facts: Record<string, Value>;
  log: RunEntry[];
  question: Question | null;
  /** The question with its legal answers. */
  prompt: string | null;
  outcome: Outcome | null;
  /** The outcome in one line. */
  sentence?: string;
  effects?: string[];
  outputs?: string[];
  readings?: Reading[];
};

/** One answer. */
export type RunEntry = {
  kind: "fact" | "roll" | "draw" | "choice";
  /** The name; in a loop, the element of the loop follows: morale[gun]. */
  name: string;
  /** The value of the fact, the faces or cards as printed, or the options chosen. */
  value: Value;
  /** True if there was only one legal answer, so nobody was asked. */
  forced?: true;
};

/** A question of a run. */
export type Question = {
  /** The name; in a loop, the element of the loop follows: morale[gun]. */
  key: string;
  name: string;
  /** The loops around a repeated roll, draw or choice: for each loop, the name of the record or the number of the round. */
  place: string[];
  /** The player who answers, if the rules name one. */
  player: string | null;
  /** The question as text. */
  text: string;
  cites: string[];
} & ({
  kind: "fact";
  /** The type of the fact, as written in the rules. */
  type: string;
  /** The legal answers as JSON Schema. */
  legal: Record<string, Value>;
  /** The default; null if an answer is required. */
  default: Value;
} | {
  kind: "roll";
  /** True for a reroll, and for dice added to a roll. */
  again: boolean;
  /** The dice; the answer is a list of faces. */
  legal: QuestionDice[];
  /** True if the rules use only the total of this roll; then the answer may be a total. */
  reads_total: boolean;
} | {
  kind: "draw";
  deck: string;
  count: number;
  /** The cards left in the deck; the answer is a list of cards. */
  legal: Value[];
} | {
  kind: "choice";
  /** The number of options in the answer, which is a list; null if the answer is a single option. */
  count: number | null;
  /** The options. */
  legal: Value[];
});

export type QuestionDice = {
  die: string;
  count: number;
  /** The different faces as printed; empty if the faces are the numbers from 1 to the value of `sides`. */
  faces: (number | string)[];
  sides: number;
};

/** The outcome of a procedure. Numbers that are not whole are strings such as "15/2"; a record appears as its name. */
export type Outcome = OutcomeResolved | OutcomeRefused;

export type OutcomeResolved = {
  status: "resolved";
  procedure: string;
  /** The value of the output `result`; null if the procedure has no such output. */
  result: Value;
  outputs: Record<string, Value>;
  effects: OutcomeEffect[];
  /** Rolls and draws, in order. */
  dice: (OutcomeRoll | OutcomeDraw)[];
  choices: OutcomeChoice[];
  /** The records after the procedure, by kind, name and field. */
  state: Record<string, Record<string, Record<string, Value>>>;
  explanation: OutcomeStep[];
};

/** An effect: its name and its parameters. */
export type OutcomeEffect = {
  effect: string;
  [field: string]: Value;
};

export type OutcomeRoll = {
  /** The name of the roll; if it was made in a loop, the element of the loop follows: morale[gun]. */
  roll: string;
  /** The faces as printed. */
  faces: OutcomePrinted[];
};

export type OutcomePrinted = number | string;

export type OutcomeDraw = {
  draw: string;
  cards: OutcomePrinted[];
};

export type OutcomeChoice = {
  choice: string;
  /** The option chosen; a list if several were chosen. */
  chosen: Value;
};

export type OutcomeStep = {
  /** What happened, in words for the player. */
  step: string;
  /** The value of the step. */
  value: Value;
  cites: OutcomeCites;
  /** The author's assumption, if the rulebook is silent. */
  assumed: string | null;
  kind: "procedure" | "fact" | "roll" | "draw" | "choice" | "value" | "modifiers" | "modifier" | "reading" | "note" | "results" | "effect" | "change" | "output" | "refusal";
  depth: number;
  name?: string;
  /** The label of an output or of a result code. */
  label?: string;
  /** The record to which the step applies. */
  reader?: string;
  /** Whether a modifier applied. */
  applied?: boolean;
  /** Why a modifier did not apply. */
  because?: string;
  /** Whether a fact was given. */
  given?: boolean;
};

export type OutcomeCites = string[];

export type OutcomeRefused = {
  status: "refused";
  procedure: string;
  refusal: string;
  message: string;
  cites: OutcomeCites;
};

/** A cell that was read: its page, row and column, each counted from 0. */
export type Reading = {
  chart: string;
  title: string | null;
  page: number | null;
  row: number | null;
  column: number | null;
  inside: number | null;
  header: Value;
  code: Value;
  row_value: Value;
  modified: Value;
  column_value: Value;
  record: string | null;
  edges: Value[];
};

/** A chart as printed, and the meanings of its codes. */
export type Chart = {
  name: string;
  title: string;
  rows: string[];
  columns: string[];
  /** The cells, row by row; a chart of several pages has `pages` instead. */
  cells?: Value[];
  pages?: {
    labels: string[];
    cells: Value[];
  }[];
  inside?: Value[];
  headers?: Value[];
  beside?: Record<string, Value>;
  surplus?: Record<string, Value>;
  errata?: Value[];
  meanings: Record<string, string>;
};

export type Diagnostic = {
  file: string;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  code: string;
  severity: "error" | "warning";
  message: string;
  help: string[];
  labels: {
    file: string;
    line: number;
    column: number;
    end_line: number;
    end_column: number;
    message: string;
  }[];
  fix: {
    message: string;
    edits: {
      file: string;
      line: number;
      column: number;
      end_line: number;
      end_column: number;
      text: string;
    }[];
  } | null;
};

export type Comparison = {
  of: string;
  a: Side;
  b: Side;
  /** For each outcome whose chance was computed in both situations, its chance in the second situation minus its chance in the first. */
  differences: {
    value: Value;
    difference: Fraction;
  }[];
  /** The total variation distance; absent if part of the odds was not computed. */
  distance?: Fraction;
};

export type Side = {
  name: string;
  odds: Distribution;
};

export type Distribution = {
  /** The question, or several questions answered together. */
  of: string | string[];
  /** The sum of all chances, including the remainder. */
  total: "1";
  outcomes: OddsOutcome[];
  exact: boolean;
  /** The total chance of the outcomes that were not computed, if there are any. */
  remainder?: Fraction;
  /** The number of plays and the seed, if the odds come from a sample. */
  sampled?: {
    trials: number;
    seed: number | string;
    confidence: string;
  };
};

export type OddsOutcome = {
  /** The outcome; a list of values if several questions were answered together. */
  value: Value;
  /** An unreduced fraction, with the same denominator for all outcomes: 4/36. */
  chance: Fraction;
  reduced: Fraction;
  /** For a sample: the two ends of the Wilson confidence interval, as floats. */
  interval?: number[];
};

export type Fraction = string;

/** A position in a text, counted in characters. */
export type Place = {
  file: string;
  start: number;
  end: number;
};

/** A fact, a field of a record, or an option. */
export type Field = {
  name: string;
  /** The type, as written in the rules. */
  type: string;
  required: boolean;
  default: Value;
  label: string | null;
  cites: string[];
  assumed: string | null;
  /** The type as JSON Schema. */
  schema: Record<string, Value>;
};

export type Procedure = {
  name: string;
  label: string | null;
  cites: string[];
  inputs: Field[];
  outputs: Output[];
  refusals: {
    slug: string;
    message: string;
    cites: string[];
  }[];
  /** All facts as JSON Schema, with the kinds of records as `$defs`. */
  schema: Record<string, Value>;
};

export type Output = {
  name: string;
  type: string;
  label: string | null;
  cites: string[];
};

export type EventKind = {
  name: string;
  label: string | null;
  cites: string[];
  inputs: Field[];
};

/** The changes between two rulesets, and the largest changes in the odds. */
export type Diff = {
  /** The name of the old ruleset. */
  old: string;
  /** The name of the new ruleset. */
  new: string;
  /** Whether anything differs. */
  changed: boolean;
  /** The seed of the sample of situations. */
  seed: number;
  changes: DiffChange[];
  /** One entry for each question that the changes can affect. */
  odds: DiffQuestion[];
};

export type DiffChange = {
  /** The kind of the declaration: chart, modifiers, facts, procedure, title. */
  kind: string;
  /** The name of the declaration; empty for facts, players, sources and the title. */
  name: string;
  /** The changed part of the declaration: a cell, a row, a modifier, a fact or a step; empty if another part or the whole declaration changed. */
  part: string;
  /** The old text; null if the declaration or part is new. */
  old: string | null;
  /** The new text; null if the declaration or part was removed. */
  new: string | null;
  /** True if only labels, citations or reasons differ. */
  words_only: boolean;
};

export type DiffQuestion = {
  procedure: string;
  /** The question. */
  of: string;
  /** The number of situations in which both rulesets have odds. */
  tried: number;
  /** True if all situations were tried, so no larger change exists. */
  proven: boolean;
  /** The number of situations in which one of the rulesets has no odds. */
  skipped: number;
  /** The first reason why a situation was skipped. */
  why_skipped: string | null;
  /** True if the time limit stopped the search. */
  ended_early: boolean;
  /** True if players have choices; the choices are made at random. */
  random_choices: boolean;
  /** For each outcome, the largest change in its chance; the outcome that changes the most comes first. */
  changes: {
    outcome: Value;
    /** The outcome in words. */
    text: string;
    /** The chance of the outcome in the old ruleset. */
    old: DiffNumber;
    /** The chance of the outcome in the new ruleset. */
    new: DiffNumber;
    /** The new chance minus the old chance. */
    difference: DiffNumber;
    /** The facts and options of the situation; all others have their defaults. */
    facts: Record<string, Value>;
    /** The facts, as typed at the prompt. */
    situation: string;
  }[];
};

export type DiffNumber = string;

export type Grid = {
  of: string;
  by: {
    fact: string;
    values: Value[];
  }[];
  cells: {
    facts: Record<string, Value>;
    odds?: Distribution;
    refusal?: string;
    message?: string;
    cites?: string[];
    /** What is wrong, if the rules reach a case that they do not cover, in the form of the schema `error`. */
    error?: Record<string, Value>;
  }[];
};

export type Least = {
  fact: string;
  of: string;
  wanted: Fraction;
  reached: boolean;
  /** The first value that reaches the given chance; null if no value does. */
  value: Value;
  best: {
    value: Value;
    /** The value tried; 45+ means that nothing changes above 45. */
    at: string;
    chance: Fraction;
    reduced: Fraction;
  };
  /** The number of values tried. */
  tried: number;
};

export type Matters = {
  of: string;
  as_is: Fraction;
  modifiers: {
    block: string;
    name: string;
    label: string | null;
    cites: string[];
    applied: Fraction | null;
    left_out: Fraction | null;
    effect: Fraction;
    why_not: string | null;
    reader: string | null;
    /** The amount that was tried for the modifier, if its amount depends on a fact. */
    amount: Fraction | null;
  }[];
};

/** A decision of a player who pursues an aim. */
export type Decision = {
  name: string;
  player: string | null;
  options: {
    option: Value;
    /** The expected value of the aim, as a fraction. */
    value: string;
  }[];
  chosen: Value;
  known: Record<string, Value>;
};

export type Sensitivity = {
  of: string;
  as_is: Fraction;
  variables: {
    name: string;
    span: Fraction;
    tried: number;
    lowest: End;
    highest: End;
    /** For each reason why there are no odds, the values that have none. */
    failed: {
      at: Value[];
      why: string;
    }[];
  }[];
  left_out: {
    name: string;
    why: string;
  }[];
};

/** The lowest or highest chance or mean, and the values that produce it. */
export type End = {
  chance: Fraction;
  at: Value[];
};

export type Outline = {
  name: string;
  kind: string;
  detail: string;
  file: string;
  start: number;
  end: number;
  children?: Outline[];
};

/** The changes made to a saved run, and whether its dice rolls are proven to be unaltered. */
export type Verification = {
  /** Whether the save is unchanged. */
  ok: boolean;
  changes: {
    kind: "rules" | "start" | "fact" | "option" | "seed" | "dice" | "answer" | "order" | "length" | "checksum";
    /** The name of the fact, option or roll, or the number of the answer. */
    name: string;
    message: string;
  }[];
  dice: "proven" | "committed" | "not committed" | "wrong";
  commitment: string | null;
  /** The number or words that the other side chose. */
  number: string | null;
};

export type AboutResult = {
  version: string;
  methods: string[];
  rulesets: string[];
};
export type AnswerResult = Run;
export type BeginResult = Run;
export type CardResult = {
  text: string;
};
export type ChartResult = Chart;
export type CheckResult = {
  ok: boolean;
  diagnostics: Diagnostic[];
};
export type CompareResult = Comparison;
export type CompleteResult = {
  start: number;
  items: {
    name: string;
    kind: string;
    label: string;
  }[];
};
export type CoverageResult = {
  /** The parts by kind: rows, columns, cells, modifiers and so on. */
  counts: Record<string, {
    used: number;
    total: number;
  }>;
  cells: {
    chart: string;
    page: number;
    row: number;
    column: number;
  }[];
};
export type DefinitionResult = Place[];
export type DescribeResult = {
  name: string;
  title: string;
  digest: string;
  players: string[];
  options: Field[];
  procedures: Procedure[];
  events: EventKind[];
  charts: {
    name: string;
    title: string;
  }[];
  diagnostics: Diagnostic[];
};
export type DiffResult = Diff;
export type ExplainResult = {
  text: string;
  markdown: string;
  steps: OutcomeStep[];
};
export type FoldingResult = {
  first: number;
  last: number;
  kind: string;
}[];
export type FormatResult = {
  text: string;
};
export type GridResult = Grid;
export type HoverResult = {
  kind: string;
  name: string;
  type: string;
  label: string | null;
  cites: string[];
  lines: string[];
  markdown: string;
  file: string;
  start: number;
  end: number;
} | null;
export type LeastResult = Least;
export type ListResult = {
  name: string;
  title: string;
}[];
export type MattersResult = Matters;
export type NotifyResult = {
  starts: true;
  procedure: string;
  cites: string[];
  question: Question | null;
  outcome: Outcome | null;
} | {
  starts: false;
  reason: string;
  message: string;
  cites: string[];
}[];
export type OddsResult = {
  answers: Distribution[];
  decisions?: Decision[];
};
export type PasteResult = {
  text: string;
  guesses: string[];
  ok: boolean;
};
export type PreviewResult = {
  readings: {
    chart: string;
    page: number | null;
    column: number | null;
    record: string | null;
  }[];
  modifiers: OutcomeStep[];
};
export type ReferencesResult = Place[];
export type RenameResult = {
  edits: {
    file: string;
    start: number;
    end: number;
    text: string;
  }[];
  reason: string | null;
};
export type ResolveResult = Outcome;
export type ResumeResult = Run;
export type RollResult = Run;
export type SampleResult = Distribution;
export type SensitivityResult = Sensitivity;
export type SourceResult = {
  text: string;
  files: Record<string, string>;
};
export type SymbolsResult = Outline[];
export type TestResult = {
  procedure: string;
  label: string | null;
  line: number | null;
  passed: boolean;
  failures: {
    message: string;
    line: number | null;
  }[];
}[];
export type TokensResult = ([string, number, number])[];
export type UndoResult = Run;
export type VerifyResult = Verification;
export type WorthResult = {
  answer: Value;
  /** The outcome in one line, if this answer ends the run. */
  sentence?: string;
  effects?: string[];
  odds?: Distribution;
  /** For each numeric field of a record, its mean value at the end of the run. */
  fields?: {
    type: string;
    record: string;
    field: string;
    /** A fraction, such as 5/2. */
    mean: string;
  }[];
}[];

// ------------------------------------------------------------------------------------------------------------ methods

/** All methods of the protocol. */
export abstract class Methods {
  protected abstract call(method: string, params: object, options?: CallOptions): Promise<Value>;

  /** Return the version, the methods and the shipped rulesets. */
  about(params: AboutParams = {}, options?: CallOptions): Promise<AboutResult> {
    return this.call("about", params, options);
  }

  /** Answer the question of a run. */
  answer(params: AnswerParams, options?: CallOptions): Promise<AnswerResult> {
    return this.call("answer", params, options);
  }

  /** Begin a run that asks for missing facts, dice and choices. */
  begin(params: BeginParams, options?: CallOptions): Promise<BeginResult> {
    return this.call("begin", params, options);
  }

  /** Return a reference card of all charts. */
  card(params: CardParams, options?: CallOptions): Promise<CardResult> {
    return this.call("card", params, options);
  }

  /** Return a chart. */
  chart(params: ChartParams, options?: CallOptions): Promise<ChartResult> {
    return this.call("chart", params, options);
  }

  /** Check a ruleset. */
  check(params: CheckParams, options?: CallOptions): Promise<CheckResult> {
    return this.call("check", params, options);
  }

  /** Compare the odds of a question in two situations. */
  compare(params: CompareParams, options?: CallOptions): Promise<CompareResult> {
    return this.call("compare", params, options);
  }

  /** Complete a text: return the words and names that may follow at a position. */
  complete(params: CompleteParams, options?: CallOptions): Promise<CompleteResult> {
    return this.call("complete", params, options);
  }

  /** Count the rules that the examples of a ruleset reach. */
  coverage(params: CoverageParams, options?: CallOptions): Promise<CoverageResult> {
    return this.call("coverage", params, options);
  }

  /** Find where a name is declared. */
  definition(params: DefinitionParams, options?: CallOptions): Promise<DefinitionResult> {
    return this.call("definition", params, options);
  }

  /** Describe a ruleset: procedures with their facts as JSON schemas, events, options, charts. */
  describe(params: DescribeParams, options?: CallOptions): Promise<DescribeResult> {
    return this.call("describe", params, options);
  }

  /** Compare two rulesets: list the changes in the rules, and the largest changes in the odds. */
  diff(params: DiffParams, options?: CallOptions): Promise<DiffResult> {
    return this.call("diff", params, options);
  }

  /** Explain a run, finished or not. */
  explain(params: ExplainParams, options?: CallOptions): Promise<ExplainResult> {
    return this.call("explain", params, options);
  }

  /** List the parts of a text that can be folded. */
  folding(params: FoldingParams, options?: CallOptions): Promise<FoldingResult> {
    return this.call("folding", params, options);
  }

  /** Format the text of a ruleset. */
  format(params: FormatParams, options?: CallOptions): Promise<FormatResult> {
    return this.call("format", params, options);
  }

  /** Return the odds of a question for all combinations of the values of some facts. */
  grid(params: GridParams, options?: CallOptions): Promise<GridResult> {
    return this.call("grid", params, options);
  }

  /** Describe the name or the result code at a position of a text. */
  hover(params: HoverParams, options?: CallOptions): Promise<HoverResult> {
    return this.call("hover", params, options);
  }

  /** Find the lowest value of a fact at which a condition reaches a given chance. */
  least(params: LeastParams, options?: CallOptions): Promise<LeastResult> {
    return this.call("least", params, options);
  }

  /** List the shipped rulesets. */
  list(params: ListParams = {}, options?: CallOptions): Promise<ListResult> {
    return this.call("list", params, options);
  }

  /** Compare the odds with and without each modifier. */
  matters(params: MattersParams, options?: CallOptions): Promise<MattersResult> {
    return this.call("matters", params, options);
  }

  /** Report an event: each reaction begins a run, or gives the reason for not beginning one. */
  notify(params: NotifyParams, options?: CallOptions): Promise<NotifyResult> {
    return this.call("notify", params, options);
  }

  /** Return the exact odds of a procedure. */
  odds(params: OddsParams, options?: CallOptions): Promise<OddsResult> {
    return this.call("odds", params, options);
  }

  /** Write a first ruleset around a chart that was pasted or scanned. */
  paste(params: PasteParams, options?: CallOptions): Promise<PasteResult> {
    return this.call("paste", params, options);
  }

  /** Return what is known before the dice are rolled: the columns and the modifiers that apply. */
  preview(params: PreviewParams, options?: CallOptions): Promise<PreviewResult> {
    return this.call("preview", params, options);
  }

  /** Find every reference to the name at a position. */
  references(params: ReferencesParams, options?: CallOptions): Promise<ReferencesResult> {
    return this.call("references", params, options);
  }

  /** Rename the name at a position everywhere. */
  rename(params: RenameParams, options?: CallOptions): Promise<RenameResult> {
    return this.call("rename", params, options);
  }

  /** Play a procedure to its end. */
  resolve(params: ResolveParams, options?: CallOptions): Promise<ResolveResult> {
    return this.call("resolve", params, options);
  }

  /** Return the state of a run. */
  resume(params: ResumeParams, options?: CallOptions): Promise<ResumeResult> {
    return this.call("resume", params, options);
  }

  /** Roll the dice that a run asks for, or answer its question at random. */
  roll(params: RollParams, options?: CallOptions): Promise<RollResult> {
    return this.call("roll", params, options);
  }

  /** Estimate odds from random plays, if exact odds take too long. */
  sample(params: SampleParams, options?: CallOptions): Promise<SampleResult> {
    return this.call("sample", params, options);
  }

  /** Find the fact, field or option whose values change a chance the most. */
  sensitivity(params: SensitivityParams, options?: CallOptions): Promise<SensitivityResult> {
    return this.call("sensitivity", params, options);
  }

  /** Return the texts of a ruleset. */
  source(params: SourceParams, options?: CallOptions): Promise<SourceResult> {
    return this.call("source", params, options);
  }

  /** Return the outline of a text. */
  symbols(params: SymbolsParams, options?: CallOptions): Promise<SymbolsResult> {
    return this.call("symbols", params, options);
  }

  /** Run the examples of a ruleset. */
  test(params: TestParams, options?: CallOptions): Promise<TestResult> {
    return this.call("test", params, options);
  }

  /** Split a text into tokens, for syntax colours. */
  tokens(params: TokensParams, options?: CallOptions): Promise<TokensResult> {
    return this.call("tokens", params, options);
  }

  /** Take back the last answer of a run. */
  undo(params: UndoParams, options?: CallOptions): Promise<UndoResult> {
    return this.call("undo", params, options);
  }

  /** List the changes made to a saved run, and check its dice. */
  verify(params: VerifyParams, options?: CallOptions): Promise<VerifyResult> {
    return this.call("verify", params, options);
  }

  /** Show the consequence of each answer to a player's question: the outcome, if the run ends, or else the odds. */
  worth(params: WorthParams, options?: CallOptions): Promise<WorthResult> {
    return this.call("worth", params, options);
  }
}
