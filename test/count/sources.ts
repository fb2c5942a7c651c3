import { dirname, join } from 'node:path';
import { sourceFiles } from '../support/project-files.ts';

interface SourceFile {
  path: string;
  text: string;
}

interface Size {
  files: number;
  lines: number;
  /** Lines of the file in the middle. */
  median: number;
  /** Lines with more characters than `longLineLength`. */
  longLines: number;
}

export const longLineLength = 160;
/** The function that decides who may do what. */
export const decidingFunction = 'policyDecision';

/** Every source file of the bot. The sandbox isn’t part of it. */
export function botSources(): SourceFile[] {
  return sourceFiles('src').filter(({ path }) => !path.startsWith('src/sandbox/'));
}

const linesOf = (text: string) => text.replace(/\n$/, '').split('\n');

export function sizeOf(sources: readonly SourceFile[]): Size {
  const lines = sources.map(({ text }) => linesOf(text));
  return {
    files: sources.length,
    lines: lines.flat().length,
    median: lines.map(({ length }) => length).toSorted((a, b) => a - b)[lines.length >> 1] ?? 0,
    longLines: lines.flat().filter(({ length }) => length > longLineLength).length,
  };
}

/** The files of the sources that each of them imports, types included. */
export function importsOf(sources: readonly SourceFile[]): Map<string, string[]> {
  return new Map(
    sources.map(({ path, text }) => [
      path,
      [
        ...new Set(
          [...text.matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g)].map(([, imported]) =>
            join(dirname(path), imported!),
          ),
        ),
      ],
    ]),
  );
}

/** How many files the longest chain of imports has. */
export function longestChain(imports: ReadonlyMap<string, readonly string[]>): number {
  const lengths = new Map<string, number>();
  const lengthFrom = (path: string): number => {
    const length = lengths.get(path) ?? 1 + Math.max(0, ...(imports.get(path) ?? []).map(lengthFrom));
    lengths.set(path, length);
    return length;
  };
  return Math.max(...[...imports.keys()].map(lengthFrom));
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
