// Prints src/methods.ts: parameters, results and methods, from the description of the protocol.

import { execFileSync } from "node:child_process";

const document = JSON.parse(execFileSync(process.env.ENFILADE ?? "enfilade", ["rpc", "--describe"], { encoding: "utf8" }));
const COMPONENTS = "#/components/schemas/";

/** The name of a type: that of its definition; after that of its schema, where only both together are clear. */
function typeName(reference) {
  const [schema, ...path] = reference.slice(COMPONENTS.length).split("/");
  const name = path.at(-1) ?? schema;
  const isClear = path.length === 0 || schema === "results" || (schema === "odds" && name !== "outcome");
  return (isClear ? [name] : [schema, name]).flatMap((each) => each.split("_")).map((each) => each[0].toUpperCase() + each.slice(1)).join("");
}

const lookedUp = (reference) => reference.slice(2).split("/").reduce((part, name) => part[name], document);

const needed = new Map();

/** A schema as a TypeScript type. Names that it needs are noted, to be declared. */
function typeOf(schema, indent = "") {
  const { $ref, enum: words, oneOf, anyOf = oneOf, type, properties } = schema;
  if ($ref !== undefined) return named($ref);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (words !== undefined) return words.map((each) => JSON.stringify(each)).join(" | ");
  if (anyOf !== undefined && properties !== undefined) return variants(schema, anyOf, indent);
  if (anyOf !== undefined) return union(anyOf.map((each) => typeOf(each, indent)));
  if (type === undefined) return properties === undefined ? "Value" : objectOf(schema, indent);
  return [type].flat().map((each) => plain(each, schema, indent)).join(" | ");
}

const union = (parts) => [...new Set(parts)].join(" | ");

/** An object with fields of its own, and others in each of its variants. What all variants repeat is left to them. */
function variants({ properties, required = [] }, parts, indent) {
  const repeated = Object.keys(properties).filter((name) => parts.every((part) => name in (part.properties ?? {})));
  const shared = Object.fromEntries(Object.entries(properties).filter(([name]) => !repeated.includes(name)));
  const own = parts.map((part) => {
    const names = Object.keys(part.properties ?? {});
    return objectOf({ ...part, required: [...(part.required ?? []), ...required.filter((name) => names.includes(name))], additionalProperties: false }, indent);
  });
  // The variants of a cell only say which of its fields come together.
  if (parts.every((part) => part.properties === undefined)) return objectOf({ properties, required, additionalProperties: false }, indent);
  return `${objectOf({ properties: shared, required, additionalProperties: false }, indent)} & (${union(own)})`;
}

function plain(type, schema, indent) {
  switch (type) {
    case "integer":
    case "number":
      return "number";
    case "array": {
      if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map((each) => typeOf(each, indent)).join(", ")}]`;
      const each = typeOf(schema.items ?? {}, indent);
      return each.includes(" ") && !each.startsWith("{") ? `(${each})[]` : `${each}[]`;
    }
    case "object":
      return objectOf(schema, indent);
    default:
      return type;
  }
}

function objectOf({ properties, required = [], additionalProperties }, indent) {
  if (properties === undefined) {
    return `Record<string, ${typeof additionalProperties === "object" ? typeOf(additionalProperties, indent) : "Value"}>`;
  }
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const said = schema.description === undefined ? "" : `${inner}/** ${schema.description} */\n`;
    return `${said}${inner}${name}${required.includes(name) ? "" : "?"}: ${typeOf(schema, inner)};`;
  });
  // More fields may follow, where the schema does not exclude them.
  if (additionalProperties === undefined) lines.push(`${inner}[field: string]: Value;`);
  return `{\n${lines.join("\n")}\n${indent}}`;
}

function named(reference) {
  const name = typeName(reference);
  const known = needed.get(name);
  if (known !== undefined && known.reference !== reference) throw new Error(`${reference} and ${known.reference} are both ${name}`);
  if (known === undefined) {
    const made = { reference, text: "" };
    needed.set(name, made);
    const schema = lookedUp(reference);
    made.text = `${schema.description === undefined ? "" : `/** ${schema.description} */\n`}export type ${name} = ${typeOf(schema)};\n`;
  }
  return name;
}

const upper = (name) => name[0].toUpperCase() + name.slice(1);
const about = (text, indent) => `${indent}/** ${text} */\n`;

const rulesets = new Map();
const params = ({ name, params }) => {
  const lines = params.map((each) => `${about(`${upper(each.description)}.`, "  ")}  ${each.name}${each.required ? "" : "?"}: ${parameterType(each)};`);
  return `export interface ${upper(name)}Params {${["", ...lines, ""].join("\n")}}\n`;
};

/** All parameters for rulesets have one type. */
function parameterType({ name, schema }) {
  const text = typeOf(schema, "  ");
  if (name === "ruleset") rulesets.set("Ruleset", typeOf(schema));
  return rulesets.get("Ruleset") === typeOf(schema) ? "Ruleset" : text;
}

const methods = document.methods.map((each) => ({ ...each, text: params(each), result: lookedUp(each.result.schema.$ref) }));
const results = methods.map((each) => `export type ${upper(each.name)}Result = ${typeOf(each.result)};\n`);
const calls = methods.map(({ name, summary, params }) => {
  const isOptional = params.every((each) => !each.required);
  return `  /** ${summary} */
  ${name}(params: ${upper(name)}Params${isOptional ? " = {}" : ""}, options?: CallOptions): Promise<${upper(name)}Result> {
    return this.call("${name}", params, options);
  }
`;
});

console.log(`// Made by scripts/generate.mjs from the description of the protocol (\`enfilade rpc --describe\`): npm run generate

/** A value of the rules: \`describe\` gives the type of each as JSON Schema. */
export type Value = any;
export type Ruleset = ${rulesets.get("Ruleset")};

export interface CallOptions {
  /** Cancels the request. */
  signal?: AbortSignal;
  /** Takes the work done, from time to time, while the request is answered. */
  progress?: (work: number) => void;
}

// --------------------------------------------------------------------------------------------------------- parameters

${methods.map((each) => each.text).join("\n")}
// ------------------------------------------------------------------------------------------------------------ results

${[...needed.values()].map((each) => each.text).join("\n")}
${results.join("")}
// ------------------------------------------------------------------------------------------------------------ methods

/** All methods of the protocol. */
export abstract class Methods {
  protected abstract call(method: string, params: object, options?: CallOptions): Promise<Value>;

${calls.join("\n")}}`);
