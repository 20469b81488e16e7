// What the server answers to requests of our own, and what the editor makes of it. Nothing here needs VS Code.

/** How an example went; lines count from 0. */
export interface ExampleResult {
  line: number;
  label: string;
  passed: boolean;
  failures: { line: number; message: string }[];
}

/** The card of a chart, or of the whole ruleset if there is no chart; a page of HTML. */
export interface Card {
  chart: string | null;
  html: string;
}

/** The marks beside the text. */
export interface Marks {
  passed: { line: number; hover: string }[];
  failed: { line: number; hover: string }[];
  /** A short text behind each line that does not match. */
  notes: { line: number; text: string; hover: string }[];
}

/** The marks for the results of the examples. */
export function marksOf(results: readonly ExampleResult[]): Marks {
  const failed = results.filter((each) => !each.passed);
  return {
    passed: results.filter((each) => each.passed).map((each) => ({ line: each.line, hover: `${each.label}: passed` })),
    failed: failed.map((each) => ({ line: each.line, hover: `${each.label}: failed` })),
    notes: failed.flatMap((each) =>
      each.failures.map(({ line, message }) => ({ line, text: message.split("\n", 1)[0] ?? "", hover: message })),
    ),
  };
}

/** One line about all examples; empty if there are none. The examples of a text with errors can't run. */
export function summaryOf(results: readonly ExampleResult[], errors = false): string {
  if (!results.length) return "";
  if (errors) return "Examples wait: correct the errors";
  const failed = results.filter((each) => !each.passed).length;
  const all = results.length === 1 ? "1 example" : `${results.length} examples`;
  return failed ? `${failed} of ${all} failed` : `${all} passed`;
}

/** The program and its arguments for the language server. */
export function serverCommand(setting: unknown): { command: string; args: string[] } {
  const words = Array.isArray(setting) ? setting.filter((each): each is string => typeof each === "string" && each !== "") : [];
  const [command = "enfilade", ...args] = words;
  return { command, args: [...args, "lsp"] };
}

/** A function that runs the last of several calls, when none has come for some milliseconds. */
export function delayed(milliseconds: number, action: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  };
}

/** The colours of the editor's theme, by the names that the page uses for its own. */
const THEME = `<style>@media screen { :root {
  --paper: var(--vscode-editor-background); --ink: var(--vscode-editor-foreground);
  --soft: var(--vscode-descriptionForeground);
  --line: color-mix(in srgb, var(--ink) 40%, var(--paper)); --band: color-mix(in srgb, var(--ink) 6%, var(--paper));
  --head: color-mix(in srgb, var(--ink) 14%, var(--paper));
} }</style>`;

/** A card in the colours of the editor. */
export function themed(html: string): string {
  return html.replace("</head>", `${THEME}</head>`);
}

/** What an author can do in a file without a text; empty if there is one. */
export function hintOf(text: string): string {
  return text.trim() ? "" : "Paste a printed chart, or press Ctrl+. for a first ruleset, Ctrl+Space for what can stand here";
}
