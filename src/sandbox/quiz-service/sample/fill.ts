import type { Database } from '../database.ts';
import { addNameTakenElsewhere } from '../store/users.ts';
import { addSampleAccount } from './account.ts';
import { createChance } from './chance.ts';
import { addCrowd } from './large.ts';
import { namesTakenElsewhere } from './people.ts';

/** What a new account begins with: the sample people and quizzes, nothing, or a crowd besides the sample. */
export type Sample = 'account' | 'empty' | { users: number; responses: number };

const seed = 20_260_401;

/** Fills a new database. The same on every machine, with dates that reach up to now. */
export function fillAccount(database: Database, sample: Sample, nowMs: number): void {
  const chance = createChance(seed);
  database.transaction(() => {
    for (const name of namesTakenElsewhere) addNameTakenElsewhere(database, name);
    if (sample === 'empty') return;
    const account = addSampleAccount(database, chance, nowMs);
    if (sample !== 'account') addCrowd(database, account, sample, chance, nowMs);
  });
}
