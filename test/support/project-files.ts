import { readFileSync } from 'node:fs';

/** A file of the project, from its folder. */
export const read = (path: string): string => readFileSync(path, 'utf8');

const namesIn = (path: string, pattern: RegExp): string[] => [...read(path).matchAll(pattern)].map(([, name]) => name!);

/** Every variable that the bot reads. */
export const variables = namesIn('src/config.ts', /^ {2}([A-Z_]+):/gm);

/** Every variable in .env.example, set there or not. */
export const exampleVariables = namesIn('.env.example', /^(?:# )?([A-Z_]+)=/gm);

/** Every path that the bot answers. */
export const routes = namesIn('src/app.ts', /^ {6}'(\/[^']+)':/gm);
