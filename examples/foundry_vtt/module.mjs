// `/enfilade PROCEDURE fact=value ...` and `/odds PROCEDURE fact=value ...` in Foundry's chat.

const MODULE = "enfilade";
const COMMAND = /^\/(enfilade|odds)\s+(\w+)\s*(.*)$/s;

Hooks.once("init", () => {
  const setting = (key, name, value) => game.settings.register(MODULE, key, { name, scope: "world", config: true, type: String, default: value });
  setting("address", "Address of the Enfilade server", "http://127.0.0.1:8040/");
  setting("ruleset", "Ruleset", "infantry_attacks");
});

Hooks.on("chatMessage", (_log, message) => {
  const found = COMMAND.exec(message.trim());
  if (found === null) return true;
  const [, command, procedure, rest] = found;
  const work = command === "odds" ? odds(procedure, factsOf(rest)) : fire(procedure, factsOf(rest));
  work.catch((error) => post(`<p><b>${escaped(error.message)}</b></p>`, { alone: true }));
  // Foundry must not read the command as a message of its own.
  return false;
});

async function fire(procedure, facts) {
  const outcome = await call("resolve", { procedure, facts, explanation: false });
  const dice = outcome.dice.map(({ roll, faces }) => `${roll} ${faces.join(", ")}`).join("; ");
  const result = outcome.status === "refused" ? `not allowed: ${outcome.message ?? outcome.refusal}` : JSON.stringify(outcome.result ?? outcome.outputs);
  await post(`<p><b>${escaped(String(result))}</b></p><p>${escaped(dice)}</p>`);
}

async function odds(procedure, facts) {
  const { answers } = await call("odds", { procedure, facts, lowest_terms: true });
  const rows = answers[0].outcomes.map(({ value, reduced }) => `<tr><td>${escaped(String(value))}</td><td>${escaped(reduced)}</td></tr>`);
  await post(`<table>${rows.join("")}</table>`, { alone: true });
}

async function call(method, params) {
  const address = new URL("rpc", game.settings.get(MODULE, "address"));
  const request = { jsonrpc: "2.0", id: 1, method, params: { ruleset: game.settings.get(MODULE, "ruleset"), ...params } };
  const answer = await fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(request) });
  if (!answer.ok) throw new Error(`the Enfilade server answers ${answer.status}: ${await answer.text()}`);
  const { result, error } = await answer.json();
  if (error) throw new Error(error.message);
  return result;
}

/** `a=1 b=town` as facts; whole numbers as numbers. */
function factsOf(text) {
  return Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, /^-?\d+$/.test(value) ? Number(value) : value]));
}

function post(content, { alone = false } = {}) {
  return ChatMessage.create({ content, ...(alone ? { whisper: [game.user.id] } : {}) });
}

function escaped(text) {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
