import { sourceFiles } from '../support/project-files.ts';

interface SourceFile {
  path: string;
  text: string;
}

interface Size {
  files: number;
  lines: number;
  /** Files under `shortFileLines`. */
  shortFiles: number;
  /** Lines with more characters than `longLineLength`. */
  longLines: number;
}

export const shortFileLines = 30;
export const longLineLength = 160;
/** The function that decides who may do what. */
export const decidingFunction = 'policyDecision';

/** Every source file of the bot. The sandbox isn’t part of it. */
export function botSources(): SourceFile[] {
  return sourceFiles('src').filter(({ path }) => !path.startsWith('src/sandbox/'));
}

/** What people read and press in the workspace: its room, the words, and the pages of features. */
export const isOfWing = (path: string): boolean =>
  /^src\/(?:slack|words|features\/[a-z-]+\/pages)(?:\/|\.ts$)/.test(path);

const linesOf = (text: string) => text.replace(/\n$/, '').split('\n');

export function sizeOf(sources: readonly SourceFile[]): Size {
  const lines = sources.map(({ text }) => linesOf(text));
  return {
    files: sources.length,
    lines: lines.flat().length,
    shortFiles: lines.filter(({ length }) => length < shortFileLines).length,
    longLines: lines.flat().filter(({ length }) => length > longLineLength).length,
  };
}

/** In how many files the quoted name of each operation stands, the highest number first. */
export function filesPerName(
  sources: readonly SourceFile[],
  names: readonly string[],
): { name: string; files: string[] }[] {
  return names
    .map((name) => ({ name, files: pathsWith(sources, new RegExp(`(['"\`])${name}\\1`)) }))
    .toSorted((a, b) => b.files.length - a.files.length || a.name.localeCompare(b.name));
}

/** The files that import a function. */
export function importersOf(sources: readonly SourceFile[], name: string): string[] {
  return pathsWith(sources, new RegExp(`^import (?!type)[^;]*\\{[^;}]*\\b${name}\\b[^;}]*\\} from '`, 'm'));
}

/** The files that define and export a function. */
export function definersOf(sources: readonly SourceFile[], name: string): string[] {
  return pathsWith(sources, new RegExp(`^export (?:async )?(?:function|const) ${name}\\b`, 'm'));
}

function pathsWith(sources: readonly SourceFile[], pattern: RegExp): string[] {
  return sources
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path)
    .toSorted();
}
