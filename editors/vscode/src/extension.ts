// The extension: a language server, and three views of what it knows: the card, the examples and the odds.
import { commands, type ExtensionContext, languages, window, workspace } from "vscode";
import { LanguageClient, RevealOutputChannelOn } from "vscode-languageclient/node";

import { serverCommand } from "./answers";
import { CardView } from "./card";
import { ExampleMarks } from "./examples";
import { EmptyHint } from "./hint";
import { OddsView } from "./odds";

export async function activate(context: ExtensionContext): Promise<void> {
  const odds = new OddsView();
  const client = makeClient(odds);
  const card = new CardView(client);
  const examples = new ExampleMarks(client, context.extensionUri);
  context.subscriptions.push(
    odds,
    card,
    examples,
    new EmptyHint(),
    commands.registerCommand("enfilade.showCard", () => card.show()),
    commands.registerCommand("enfilade.oddsHere", () => odds.showHere(client)),
    commands.registerCommand("enfilade.runExamples", () => examples.run(window.activeTextEditor?.document, true)),
    commands.registerCommand("enfilade.restart", () => client.restart()),
    { dispose: () => void client.stop() },
  );
  try {
    await client.start();
    for (const document of workspace.textDocuments) if (languages.match("enfilade", document)) void examples.run(document);
  } catch {
    const answer = await window.showErrorMessage(
      "Enfilade could not be started. Install it with `pip install 'enfilade[lsp]'`, or set the command that runs it.",
      "Open Settings",
    );
    if (answer) await commands.executeCommand("workbench.action.openSettings", "enfilade.command");
  }
}

function makeClient(odds: OddsView): LanguageClient {
  const server = serverCommand(workspace.getConfiguration("enfilade").get("command"));
  return new LanguageClient("enfilade", "Enfilade", server, {
    documentSelector: [{ language: "enfilade" }],
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: { ownViews: true },
    middleware: {
      // The server's commands answer with a text.
      async executeCommand(command, args, next) {
        const text: unknown = await next(command, args);
        if (typeof text !== "string") return text;
        if (command === "enfilade.odds") await odds.show(text);
        else await window.showInformationMessage(text);
        return text;
      },
    },
  });
}
