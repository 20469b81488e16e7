// The card of the chart at the cursor, beside the text.
import { type Disposable, type TextEditor, ViewColumn, type WebviewPanel, window, workspace } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

import { type Card, delayed, themed } from "./answers";

/** Follow the cursor after a pause of so many milliseconds. */
const PAUSE = 200;

export class CardView implements Disposable {
  private panel: WebviewPanel | undefined;
  private editor: TextEditor | undefined;
  private html = "";
  private readonly follow = delayed(PAUSE, () => void this.draw());
  private readonly events = [
    window.onDidChangeTextEditorSelection((event) => this.use(event.textEditor)),
    window.onDidChangeActiveTextEditor((editor) => this.use(editor)),
    workspace.onDidChangeTextDocument((event) => {
      if (event.document === this.editor?.document) this.follow();
    }),
  ];

  constructor(private readonly client: LanguageClient) {}

  /** Show the card of the active editor, beside it. */
  async show(): Promise<void> {
    if (this.panel === undefined) {
      this.html = "";
      this.panel = window.createWebviewPanel("enfilade.card", "Card", { viewColumn: ViewColumn.Beside, preserveFocus: true });
      this.panel.onDidDispose(() => (this.panel = undefined));
    } else this.panel.reveal(undefined, true);
    this.use(window.activeTextEditor);
    await this.draw();
  }

  dispose(): void {
    for (const each of this.events) each.dispose();
    this.panel?.dispose();
  }

  private use(editor: TextEditor | undefined): void {
    if (editor?.document.languageId !== "enfilade") return;
    this.editor = editor;
    if (this.panel !== undefined) this.follow();
  }

  /** Ask for the card at the cursor; with errors in the text, the last card stays. */
  private async draw(): Promise<void> {
    const editor = this.editor;
    if (editor === undefined || this.panel === undefined) return;
    const position = { line: editor.selection.active.line, character: editor.selection.active.character };
    const textDocument = { uri: editor.document.uri.toString() };
    // A newer question ends this one; then there is no answer.
    const card = await this.client.sendRequest<Card | null>("enfilade/card", { textDocument, position }).catch(() => null);
    if (this.panel === undefined || card === null) return;
    this.panel.title = card.chart ?? "Card";
    if (card.html === this.html) return;
    this.html = card.html;
    this.panel.webview.html = themed(card.html);
  }
}
