import { basename } from 'node:path';
import { areaOf, type Area, type Frame } from './cpu-profile.ts';

const [width, margin, rowHeight, headHeight, characterWidth] = [1_200, 10, 17, 46, 6.3];
/** Narrower frames are left out, with what they call. */
const leastWidth = 3;
/** Frames with less room have no text. */
const leastTextWidth = 24;

const colors: Record<Area, string> = { bot: '#f4a261', package: '#8ecae6', Node: '#b7d7a8', native: '#d0d0d0' };
const meanings: Record<Area, string> = {
  bot: 'the bot',
  package: 'packages',
  Node: 'Node',
  native: 'native code and garbage collection',
};

/** A frame with its place in the picture, in pixels. */
interface Box {
  frame: Frame;
  depth: number;
  x: number;
  width: number;
}

/** Draws a flame graph: each box is a function, as wide as the time it and what is above it took. The outermost is at the bottom. */
export function flameGraph(root: Frame, title: string): string {
  const boxes = layOut(root);
  const depth = Math.max(...boxes.map((box) => box.depth));
  const height = headHeight + (depth + 1) * rowHeight + margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="10.5">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="${margin}" y="18" font-size="13" font-weight="bold">${escape(title)}</text>`,
    legend(),
    ...boxes.map((box) => drawn(box, root.totalUs, height - margin - (box.depth + 1) * rowHeight)),
    '</svg>',
    '',
  ].join('\n');
}

function layOut(root: Frame): Box[] {
  const perUs = (width - 2 * margin) / root.totalUs;
  const boxes: Box[] = [];
  const place = (frame: Frame, depth: number, x: number): void => {
    const boxWidth = frame.totalUs * perUs;
    if (boxWidth < leastWidth) return;
    boxes.push({ frame, depth, x, width: boxWidth });
    let left = x;
    for (const child of frame.children) {
      place(child, depth + 1, left);
      left += child.totalUs * perUs;
    }
  };
  place(root, 0, margin);
  return boxes;
}

function drawn({ frame, x, width: boxWidth }: Box, allUs: number, y: number): string {
  const share = `${((100 * frame.totalUs) / allUs).toFixed(1)} %`;
  const label = frame.place === '' ? frame.name : `${frame.name} ${frame.place}`;
  const color = frame.place === '' && frame.name === 'all' ? '#eeeeee' : colors[areaOf(frame)];
  return [
    `<g><title>${escape(label)}: ${share}</title>`,
    `<rect x="${x.toFixed(1)}" y="${y}" width="${boxWidth.toFixed(1)}" height="${rowHeight - 1}" fill="${color}" rx="1.5"/>`,
    boxWidth < leastTextWidth
      ? ''
      : `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escape(fitted([`${label} ${share}`, label, `${frame.name} ${basename(frame.place)}`, frame.name], boxWidth - 6))}</text>`,
    '</g>',
  ].join('');
}

/** The first of the texts for which there is room, or as much of the last as there is room for. */
function fitted(texts: readonly string[], room: number): string {
  const characters = Math.floor(room / characterWidth);
  const fits = texts.find((text) => text.length <= characters);
  return fits ?? `${texts.at(-1)!.slice(0, Math.max(0, characters - 1))}…`;
}

function legend(): string {
  let x = margin;
  return (Object.keys(colors) as Area[])
    .map((area) => {
      const text = meanings[area];
      const item = `<rect x="${x}" y="27" width="11" height="11" fill="${colors[area]}" rx="1.5"/><text x="${x + 15}" y="36">${text}</text>`;
      x += 34 + text.length * characterWidth;
      return item;
    })
    .join('');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
