// A hint in a rules file without a text, as VS Code has one in a new file.
import { type Disposable, Range, ThemeColor, window, workspace } from "vscode";

import { hintOf } from "./answers";

export class EmptyHint implements Disposable {
  private readonly look = window.createTextEditorDecorationType({
    after: { color: new ThemeColor("editorGhostText.foreground"), fontStyle: "italic" },
  });
  private readonly events = [
    window.onDidChangeVisibleTextEditors(() => this.draw()),
    workspace.onDidOpenTextDocument(() => this.draw()),
    workspace.onDidChangeTextDocument(() => this.draw()),
  ];

  constructor() {
    this.draw();
  }

  dispose(): void {
    for (const each of [...this.events, this.look]) each.dispose();
  }

  private draw(): void {
    for (const editor of window.visibleTextEditors) {
      if (editor.document.languageId !== "enfilade") continue;
      const contentText = hintOf(editor.document.getText());
      const range = new Range(0, 0, 0, 0);
      editor.setDecorations(this.look, contentText ? [{ range, renderOptions: { after: { contentText } } }] : []);
    }
  }
}
