// Odds as a text beside the rules.
import { type Disposable, EventEmitter, Uri, ViewColumn, window, workspace } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

const SCHEME = "enfilade-odds";
const PLACE = Uri.from({ scheme: SCHEME, path: "Odds" });

export class OddsView implements Disposable {
  private text = "";
  private readonly changed = new EventEmitter<Uri>();
  private readonly provider = workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: this.changed.event,
    provideTextDocumentContent: () => this.text,
  });

  /** Show a text of odds beside the rules. */
  async show(text: string): Promise<void> {
    this.text = text;
    this.changed.fire(PLACE);
    const document = await workspace.openTextDocument(PLACE);
    await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preserveFocus: true, preview: true });
  }

  /** Ask for the odds at the cursor, and show them. */
  async showHere(client: LanguageClient): Promise<void> {
    const editor = window.activeTextEditor;
    if (editor?.document.languageId !== "enfilade") return;
    const { line, character } = editor.selection.active;
    const textDocument = { uri: editor.document.uri.toString() };
    await this.show(await client.sendRequest<string>("enfilade/oddsHere", { textDocument, position: { line, character } }));
  }

  dispose(): void {
    this.provider.dispose();
    this.changed.dispose();
  }
}
