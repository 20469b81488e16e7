// The printed card. Its page has no scripts; it is shown in a frame that could run none.

import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import { engine, game } from "./state";
import { edit } from "./write";

export function CardPage({ card }: { card: string }): JSX.Element {
  if (card === "") return <p class="hint">The card appears when the text has no mistakes.</p>;
  return <iframe class="card" sandbox="allow-same-origin allow-modals" srcdoc={card} title="Reference card" />;
}

export function CardView(): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  return (
    <section class="pane whole" aria-labelledby="card-view" ref={frame}>
      <h2 id="card-view" class="hidden">Card</h2>
      <div class="actions">
        <button type="button" class="main" onClick={() => frame.current?.querySelector("iframe")?.contentWindow?.print()}>Print</button>
        <button type="button" disabled={engine.value === null} onClick={() => void edit()}>Edit its text</button>
      </div>
      <CardPage card={game.value?.card ?? ""} />
    </section>
  );
}
