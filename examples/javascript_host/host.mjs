// Plays one combat, and asks for its odds.

import { Enfilade } from "./enfilade.mjs";

const enfilade = new Enfilade();
const ruleset = "infantry_attacks";
const facts = { fire_value: 16, terrain: ["town"] };

const { answers } = await enfilade.call("odds", { ruleset, procedure: "direct_fire", facts, of: "M or worse" });
console.log("M or worse:", answers[0].outcomes.find(({ value }) => value)?.reduced);

let run = await enfilade.call("begin", { ruleset, procedure: "direct_fire", facts });
console.log(run.prompt);
run = await enfilade.call("answer", { ruleset, save: run.save, text: "4 1" });
console.log(run.sentence);

await enfilade.call("resolve", { ruleset, procedure: "direct_fire", facts: { fire_value: 0 } }).catch((error) => console.log("refused:", error.message));
enfilade.close();
