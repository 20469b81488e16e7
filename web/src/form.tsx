// The form of a situation, made from the JSON schema of each fact.

import type { ComponentChildren, JSX } from "preact";
import { useId, useState } from "preact/hooks";

import { facts, faults, missing, options, procedure, game, setFact, setOption, shown, words, type Field, type Schema } from "./state";

const MOST_CHIPS = 8;
const MOST_SHOWN = 14;

export function Form(): JSX.Element | null {
  const current = procedure.value;
  if (current === null) return null;
  const definitions = current.schema.$defs ?? {};
  const shownFirst = current.inputs.filter((each) => each.required || facts.value[each.name] !== undefined);
  const others = current.inputs.filter((each) => !shownFirst.includes(each));
  const control = (field: Field) => (
    <Fact
      key={field.name}
      field={field}
      definitions={definitions}
      value={facts.value[field.name]}
      fault={faults.value[field.name]}
      isMissing={missing.value.includes(field)}
      change={(value) => setFact(field.name, value)}
    />
  );
  return (
    <form class="form" onSubmit={(event) => event.preventDefault()} aria-label="Situation">
      {current.inputs.length <= MOST_SHOWN ? current.inputs.map(control) : shownFirst.map(control)}
      {current.inputs.length > MOST_SHOWN && others.length > 0 && (
        <details class="more">
          <summary>{others.length} more facts, as usual</summary>
          {others.map(control)}
        </details>
      )}
      {(game.value?.described.options.length ?? 0) > 0 && (
        <details class="more">
          <summary>Options of the rules</summary>
          {game.value!.described.options.map((field) => (
            <Fact
              key={field.name}
              field={field}
              definitions={{}}
              value={options.value[field.name]}
              isMissing={false}
              change={(value) => setOption(field.name, value)}
            />
          ))}
        </details>
      )}
    </form>
  );
}

interface FactProps {
  field: Field;
  definitions: Record<string, Schema>;
  value: any;
  fault?: string | undefined;
  isMissing: boolean;
  change: (value: any) => void;
}

function Fact({ field, definitions, value, fault, isMissing, change }: FactProps): JSX.Element {
  const id = useId();
  const label = words(field.label ?? field.name);
  const note = [...field.cites.map((cite) => `[${cite}]`), field.assumed === null ? "" : `Assumed: ${field.assumed}`];
  return (
    <div class={isMissing ? "fact missing" : "fact"} data-fact={field.name}>
      <Control
        id={id}
        label={label}
        name={field.name}
        schema={field.schema}
        definitions={definitions}
        value={value ?? field.default ?? undefined}
        change={change}
      />
      {note.join("") !== "" && <small class="note">{note.filter(Boolean).join(" ")}</small>}
      {fault !== undefined && <p class="fault" role="alert">{fault}</p>}
    </div>
  );
}

interface ControlProps {
  id: string;
  label: string;
  name: string;
  schema: Schema;
  definitions: Record<string, Schema>;
  value: any;
  change: (value: any) => void;
}

/** The control for a schema: a switch, chips, a stepper, a list of records, or a line of text. */
function Control(props: ControlProps): JSX.Element {
  const { schema, value, change, id, label } = props;
  const plain = schema.anyOf?.find((each: Schema) => each.type !== "null" && each.type !== "string");
  if (schema.anyOf !== undefined && schema.anyOf.some((each: Schema) => each.$ref !== undefined)) {
    return <RecordCard {...props} schema={resolved(schema, props.definitions)} />;
  }
  if (schema.anyOf !== undefined && schema.anyOf.some((each: Schema) => each.type === "null")) {
    if (plain?.enum !== undefined) return <Chips {...props} words={[...plain.enum, null]} />;
    return <Line {...props} read={numberOrText} placeholder="none" />;
  }
  if (schema.type === "boolean") {
    return (
      <label class="switch" for={id}>
        <input id={id} type="checkbox" role="switch" checked={value === true} onChange={(event) => change(event.currentTarget.checked)} />
        <span>{label}</span>
      </label>
    );
  }
  if (schema.enum !== undefined) return <Chips {...props} words={schema.enum} />;
  if (schema.type === "integer") {
    const { minimum, maximum } = schema;
    if (minimum !== undefined && maximum !== undefined && maximum - minimum < MOST_CHIPS) {
      return <Chips {...props} words={Array.from({ length: maximum - minimum + 1 }, (_, at) => minimum + at)} />;
    }
    return <Stepper {...props} />;
  }
  if (schema.type === "array") {
    if (schema.items?.enum !== undefined) return <Set {...props} words={schema.items.enum} />;
    if (schema.items?.anyOf !== undefined) return <Records {...props} />;
    return <Line {...props} read={list} placeholder="2, 3" />;
  }
  return <Line {...props} read={numberOrText} placeholder="" />;
}

function Group({ label, class: kind, children }: { label: string; class: string; children: ComponentChildren }): JSX.Element {
  return (
    <fieldset class={kind}>
      <legend>{label}</legend>
      <div>{children}</div>
    </fieldset>
  );
}

function Chips(props: ControlProps & { words: any[] }): JSX.Element {
  if (props.words.length > MOST_CHIPS) {
    return (
      <div class="line">
        <label for={props.id}>{props.label}</label>
        <select
          id={props.id}
          value={props.value === undefined ? "" : String(props.words.indexOf(props.value))}
          onChange={(event) => props.change(props.words[Number(event.currentTarget.value)])}
        >
          {props.value === undefined && <option value="">choose</option>}
          {props.words.map((word, at) => <option key={at} value={at}>{shown(word)}</option>)}
        </select>
      </div>
    );
  }
  return (
    <Group label={props.label} class="chips">
      {props.words.map((word) => (
        <label key={String(word)} class="chip">
          <input type="radio" name={props.id} checked={props.value === word} onChange={() => props.change(word)} />
          <span>{shown(word)}</span>
        </label>
      ))}
    </Group>
  );
}

function Set(props: ControlProps & { words: string[] }): JSX.Element {
  const has: string[] = Array.isArray(props.value) ? props.value : props.value === undefined ? [] : [props.value];
  const toggle = (word: string) => {
    const next = has.includes(word) ? has.filter((each) => each !== word) : [...has, word];
    // The default word, such as clear, gives way to what is chosen.
    const usual: any[] = props.schema.default ?? [];
    const own = next.filter((each) => !usual.includes(each));
    props.change(usual.includes(word) && next.includes(word) ? usual : own.length > 0 ? own : undefined);
  };
  return (
    <Group label={props.label} class="chips">
      {props.words.map((word) => (
        <label key={word} class="chip">
          <input type="checkbox" checked={has.includes(word)} onChange={() => toggle(word)} />
          <span>{words(word)}</span>
        </label>
      ))}
    </Group>
  );
}

function Stepper({ id, label, schema, value, change }: ControlProps): JSX.Element {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
  const start = schema.minimum ?? 0;
  const to = (next: number) => change(Math.min(maximum, Math.max(minimum, next)));
  return (
    <div class="line">
      <label for={id}>{label}</label>
      <span class="stepper">
        <button type="button" aria-label={`${label}: one less`} disabled={value === undefined || value <= minimum} onClick={() => to(value - 1)}>−</button>
        <input
          id={id}
          type="number"
          inputMode="numeric"
          min={schema.minimum}
          max={schema.maximum}
          value={value ?? ""}
          onInput={(event) => change(event.currentTarget.value === "" ? undefined : Number(event.currentTarget.value))}
        />
        <button type="button" aria-label={`${label}: one more`} disabled={value >= maximum} onClick={() => to(value === undefined ? start : value + 1)}>+</button>
      </span>
    </div>
  );
}

function Line({ id, label, value, change, read, placeholder }: ControlProps & { read: (text: string) => any; placeholder: string }): JSX.Element {
  return (
    <div class="line">
      <label for={id}>{label}</label>
      <Text id={id} placeholder={placeholder} text={Array.isArray(value) ? value.join(", ") : String(value ?? "")} change={(text) => change(read(text))} />
    </div>
  );
}

interface TextProps {
  text: string;
  change: (text: string) => void;
  id?: string;
  placeholder?: string;
  "aria-label"?: string;
}

/** A line of text, which counts when it is left or Enter is pressed. An answer that comes meanwhile doesn't replace it. */
function Text({ text, change, ...others }: TextProps): JSX.Element {
  const [draft, setDraft] = useState<string | null>(null);
  const taken = (typed: string) => {
    setDraft(null);
    change(typed);
  };
  return (
    <input {...others} type="text" autocomplete="off" autocapitalize="off" spellcheck={false} value={draft ?? text}
      onInput={(event) => setDraft(event.currentTarget.value)} onChange={(event) => taken(event.currentTarget.value)} />
  );
}

function numberOrText(text: string): any {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  return /^[+-]?\d+$/.test(trimmed) ? Number(trimmed) : trimmed;
}

function list(text: string): any {
  const parts = text.split(/[,\s]+/).filter(Boolean);
  return parts.length === 0 ? undefined : parts.map(numberOrText);
}

// --------------------------------------------------------------------------------------------------------- records

function resolved(schema: Schema, definitions: Record<string, Schema>): Schema {
  const found = schema.$ref === undefined ? schema.anyOf?.find((each: Schema) => each.$ref !== undefined) : schema;
  return definitions[String(found?.$ref ?? "").replace("#/$defs/", "")] ?? {};
}

function Records(props: ControlProps): JSX.Element {
  const schema = resolved(props.schema.items, props.definitions);
  const records: any[] = Array.isArray(props.value) ? props.value : [];
  const kind = words(String(props.schema.items.anyOf.find((each: Schema) => each.$ref !== undefined)?.$ref ?? "unit").replace("#/$defs/", ""));
  const put = (next: any[]) => props.change(next.length === 0 ? undefined : next);
  return (
    <Group label={props.label} class="records">
      {records.map((record, at) => (
        <RecordCard
          key={at}
          {...props}
          id={`${props.id}-${at}`}
          label={record.name ?? `unit ${at + 1}`}
          schema={schema}
          value={record}
          change={(changed) => put(changed === undefined ? records.filter((_, place) => place !== at) : records.map((each, place) => (place === at ? changed : each)))}
        />
      ))}
      <button type="button" onClick={() => put([...records, fresh(schema, `${kind} ${records.length + 1}`, records)])}>
        Add {kind}
      </button>
    </Group>
  );
}

/** A new record: its name, and the first value of each field that it needs. */
function fresh(schema: Schema, name: string, others: any[] = []): any {
  const made: Record<string, any> = { name };
  const last = others.at(-1);
  for (const needed of schema.required ?? []) {
    if (needed === "name") continue;
    const field: Schema = schema.properties?.[needed] ?? {};
    made[needed] = last?.[needed] ?? field.default ?? field.enum?.[0] ?? field.minimum ?? (field.type === "boolean" ? false : 1);
  }
  return made;
}

function RecordCard(props: ControlProps): JSX.Element {
  const { schema, value, change, label, id } = props;
  if (value === undefined || value === null || typeof value !== "object") {
    return (
      <div class="line">
        <span>{label}</span>
        <button type="button" onClick={() => change(fresh(schema, props.name))}>Describe it</button>
      </div>
    );
  }
  const properties: [string, Schema][] = Object.entries(schema.properties ?? {});
  const needed = new globalThis.Set<string>(schema.required ?? []);
  const set = (name: string, next: any) => {
    const { [name]: _, ...rest } = value;
    change(next === undefined ? rest : { ...rest, [name]: next });
  };
  const control = ([name, field]: [string, Schema]) => (
    <Control key={name} id={`${id}-${name}`} name={name} label={words(field.description ?? name)} schema={field} definitions={props.definitions}
      value={value[name] ?? field.default} change={(next) => set(name, next)} />
  );
  // Numbers and kinds are set for each record; marks and the like are rare.
  const isNumber = (field: Schema) => field.type === "integer" || field.anyOf?.some((each: Schema) => each.type === "integer");
  const isFirst = ([name, field]: [string, Schema]) => needed.has(name) || isNumber(field) || field.enum !== undefined;
  const others = properties.filter(([name]) => name !== "name");
  const first = others.filter(isFirst);
  const rest = others.filter((each) => !isFirst(each));
  return (
    <section class="record" aria-label={label}>
      <header>
        <Text aria-label={`Name of ${label}`} text={value.name ?? ""} change={(text) => set("name", text)} />
        <button type="button" aria-label={`Remove ${label}`} onClick={() => change(undefined)}>×</button>
      </header>
      {first.map(control)}
      {rest.length > 0 && (
        <details class="more">
          <summary>{summary(value, rest)}</summary>
          {rest.map(control)}
        </details>
      )}
    </section>
  );
}

/** What differs from the usual. */
function summary(value: Record<string, any>, rest: [string, Schema][]): string {
  const differs = rest.filter(([name, field]) => value[name] !== undefined && value[name] !== null && String(value[name]) !== String(field.default));
  return differs.length === 0 ? "all else as usual" : differs.map(([name]) => `${words(name)} ${shown(value[name])}`).join(", ");
}
