import { readFileSync } from 'node:fs';
import { fault, right, unknown, type Finding } from '../domain/finding.ts';
import type { StoreIdentity } from './content-watch.ts';

/** Compares the content of a store with what the bot kept about it in `path`. Changes neither. */
export function contentFinding(path: string, found: StoreIdentity | undefined): Finding {
  let known: StoreIdentity;
  try {
    known = JSON.parse(readFileSync(path, 'utf8')) as StoreIdentity;
  } catch {
    return unknown('the bot has not kept which content the store has, so a loss would not be noticed');
  }
  if (found?.id !== known.id)
    return fault(
      'the store lost its content: stop the bots and restore a backup, or start the bot and subscribe the channels again',
    );
  if (found.generation < known.generation)
    return fault(
      'the store went back to an earlier state: restore a newer backup, or start the bot and check what changed since',
    );
  return right('the store has the content that the bot knew');
}
