// A combat as text, and as a picture that is drawn in the browser: nothing is sent anywhere.

const WIDTH = 720;
const MARGIN = 32;
const LINE = 28;

/** A combat as players retell it. */
export interface Told {
  title: string;
  procedure: string;
  situation: string[];
  result: string;
  lines: string[];
  odds: { label: string; share: number; text: string; isResult: boolean }[];
}

/** The combat in lines of text. */
export function asText({ title, procedure, situation, result, lines, odds }: Told): string {
  const luck = odds.find((each) => each.isResult);
  const chance = luck === undefined ? "" : ` (chance ${luck.text})`;
  return [`${title}: ${procedure}`, situation.join("; "), `${result}${chance}`, ...lines].filter(Boolean).join("\n");
}

/** The combat as a PNG picture, in the colours of the page. */
export async function asPicture(told: Told): Promise<Blob> {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d")!;
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const font = (size: number, weight = 400) => `${weight} ${size}px system-ui, sans-serif`;

  // The first pass only measures; setting the height of a canvas clears it.
  const draw = (): number => {
    let y = MARGIN;
    const write = (text: string, size: number, weight: number, ink: string) => {
      pen.font = font(size, weight);
      pen.fillStyle = colour(ink);
      for (const line of wrapped(pen, text, WIDTH - 2 * MARGIN)) {
        y += Math.round(size * 1.4);
        pen.fillText(line, MARGIN, y);
      }
    };
    write(told.title, 22, 700, "accent");
    write(told.procedure, 18, 600, "ink");
    if (told.situation.length > 0) write(told.situation.join("; "), 16, 400, "soft");
    y += 12;
    write(told.result, 36, 700, "ink");
    for (const line of told.lines) write(line, 17, 400, "ink");
    y += 16;
    for (const each of told.odds) {
      y += LINE;
      pen.fillStyle = colour(each.isResult ? "cell" : "bar");
      pen.fillRect(MARGIN + 120, y - 19, Math.max(2, (WIDTH - 2 * MARGIN - 220) * each.share), 22);
      pen.fillStyle = colour("ink");
      pen.font = font(16, each.isResult ? 700 : 400);
      pen.fillText(each.label, MARGIN, y - 3, 112);
      pen.textAlign = "end";
      pen.fillText(each.text, WIDTH - MARGIN, y - 3);
      pen.textAlign = "start";
    }
    return y + MARGIN;
  };
  canvas.width = WIDTH;
  canvas.height = draw();
  pen.fillStyle = colour("paper");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  draw();
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob === null ? reject(new Error("the picture can't be made")) : resolve(blob)), "image/png"));
}

/** A text in lines that fit a width, in pixels. */
function wrapped(pen: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && pen.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Offer a file to save. */
export function offer(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
