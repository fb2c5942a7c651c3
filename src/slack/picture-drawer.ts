import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { Picture, PictureText } from '../operations/services/files.ts';

/** Draws a picture in a thread of its own, which `picture-file.ts` starts. */
const picture = workerData as Picture;

/**
 * What is used of https://skia.org/docs/user/modules/canvaskit: Skia as WebAssembly, the same on every machine, which joins and
 * turns Arabic and Hebrew as it should. Libraries that draw SVG do not. Its own types want those of a browser.
 */
interface CanvasKit {
  MakeSurface(width: number, height: number): Surface | null;
  parseColorString(color: string): object;
  Paint: new () => Paint;
  PaintStyle: { Stroke: object };
  StrokeCap: { Round: object };
  Path: { MakeFromSVGString(path: string): object };
  TypefaceFontProvider: { Make(): { registerFont(font: Uint8Array, family: string): void } };
  FontWeight: { Normal: object; Bold: object };
  ParagraphStyle: new (style: object) => object;
  ParagraphBuilder: {
    MakeFromFontProvider(style: object, fonts: object): { addText(text: string): void; build(): Paragraph };
  };
}

interface Surface {
  getCanvas(): Canvas;
  makeImageSnapshot(): { encodeToBytes(): Uint8Array | null };
}

interface Canvas {
  scale(x: number, y: number): void;
  save(): void;
  restore(): void;
  translate(x: number, y: number): void;
  rotate(degrees: number, x: number, y: number): void;
  drawRect(leftTopRightBottom: readonly number[], paint: Paint): void;
  drawPath(path: object, paint: Paint): void;
  drawParagraph(paragraph: Paragraph, x: number, y: number): void;
}

interface Paint {
  setColor(color: object): void;
  setAntiAlias(isSmooth: boolean): void;
  setStyle(style: object): void;
  setStrokeWidth(width: number): void;
  setStrokeCap(cap: object): void;
}

interface Paragraph {
  layout(width: number): void;
  getAlphabeticBaseline(): number;
}

const scripts = [
  ...['latin', 'latin-ext', 'vietnamese', 'greek', 'cyrillic', 'cyrillic-ext', 'devanagari'].map(
    (script) => ['noto-sans', script] as const,
  ),
  ['noto-sans-arabic', 'arabic'],
  ['noto-sans-hebrew', 'hebrew'],
] as const;
/** For screens with two pixels where others have one. */
const scale = 2;
const penWidth = 2;
/** No font here has them. */
const emoji = /(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F)(?:\u200D|\uFE0F)*/gu;

const packages = createRequire(import.meta.url);
const loadCanvasKit = packages('canvaskit-wasm') as () => Promise<CanvasKit>;
const kit = await loadCanvasKit();
const fonts = kit.TypefaceFontProvider.Make();
for (const [name, script] of scripts)
  for (const weight of [400, 700])
    fonts.registerFont(
      readFileSync(packages.resolve(`@fontsource/${name}/files/${name}-${script}-${weight}-normal.woff2`)),
      script,
    );
parentPort?.postMessage(draw());

/** As PNG. Nothing is freed: the memory ends with the thread. */
function draw(): Uint8Array {
  const surface = kit.MakeSurface(picture.width * scale, picture.height * scale);
  if (surface === null) throw new Error('there is no memory to draw in');
  const canvas = surface.getCanvas();
  canvas.scale(scale, scale);
  const [fill, pen] = [new kit.Paint(), new kit.Paint()];
  pen.setAntiAlias(true);
  pen.setStyle(kit.PaintStyle.Stroke);
  pen.setStrokeWidth(penWidth);
  pen.setStrokeCap(kit.StrokeCap.Round);
  for (const shape of picture.shapes) {
    const color = kit.parseColorString(shape.color);
    canvas.save();
    canvas.translate(shape.x, shape.y);
    if (shape.kind === 'text') drawText(canvas, shape, color);
    else if (shape.kind === 'box') {
      fill.setColor(color);
      canvas.drawRect([0, 0, shape.width, shape.height], fill);
    } else {
      pen.setColor(color);
      canvas.drawPath(kit.Path.MakeFromSVGString(shape.path), pen);
    }
    canvas.restore();
  }
  const png = surface.makeImageSnapshot().encodeToBytes();
  if (png === null) throw new Error('the picture cannot be written as PNG');
  return png;
}

function drawText(canvas: Canvas, shape: PictureText, color: object): void {
  const { width, text, size, isBold, lines = 1, turn = 0 } = shape;
  const style = new kit.ParagraphStyle({
    maxLines: lines,
    ellipsis: '…',
    textStyle: {
      color,
      fontFamilies: scripts.map(([, script]) => script),
      fontSize: size,
      fontStyle: { weight: isBold ? kit.FontWeight.Bold : kit.FontWeight.Normal },
    },
  });
  const builder = kit.ParagraphBuilder.MakeFromFontProvider(style, fonts);
  builder.addText(text.replaceAll(emoji, '').replaceAll(/ {2,}/g, ' ').trim());
  const paragraph = builder.build();
  paragraph.layout(width);
  canvas.rotate(turn, 0, 0);
  canvas.drawParagraph(paragraph, 0, -paragraph.getAlphabeticBaseline());
}
