import { globSync, readFileSync } from 'node:fs';

/** Reads a file. `path` is relative to the project root. */
export const read = (path: string): string => readFileSync(path, 'utf8');

/** Every source file in a folder. */
export const sourceFiles = (folder: string): { path: string; text: string }[] =>
  globSync(`${folder}/**/*.ts`).map((path) => ({ path, text: read(path) }));

const namesIn = (path: string, pattern: RegExp): string[] => [...read(path).matchAll(pattern)].map(([, name]) => name!);

/** Every environment variable that the bot reads. */
export const variables = [...new Set(namesIn('src/configuration/variables.ts', /^ {2}([A-Z_]+):/gm))];

/** Every environment variable that the sandbox’s quiz service reads. */
export const serviceVariables = namesIn('src/sandbox/quiz-service/config.ts', /^ {2}([A-Z_]+):/gm);

/** Every variable in .env.example, including the commented ones. */
export const exampleVariables = namesIn('.env.example', /^(?:# )?([A-Z_]+)=/gm);

/** Every route of the bot. */
export const routes = ['src/assembly/bot.ts', 'src/assembly/process.ts'].flatMap((file) =>
  namesIn(file, /^ {4,6}\[?'(\/[^']+)'[:,]/gm),
);
