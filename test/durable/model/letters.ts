import type { NewQueueEntry, QueueEntry } from '../../../src/domain/queue-entry.ts';
import type { Ask } from './scenario.ts';

export interface Letter {
  /** What is asked for under an id is done once, however often a letter with it comes. */
  id: string;
  /** Which of the letters with this id it is. */
  nth: number;
  ask: Ask;
}

/** No content of the bot: machines alone know what they are sent. */
export function entryWith(queue: string, letter: Letter, at: number): NewQueueEntry {
  return { queue, subscriptionId: 'model', at, content: { kind: 'letter', letter } as never };
}

export function letterIn({ content }: Pick<QueueEntry, 'content'>): Letter {
  return (content as unknown as { letter: Letter }).letter;
}

export function labelOf({ id, nth }: Pick<Letter, 'id' | 'nth'>): string {
  return `${id}#${nth}`;
}

/** The ids of what a letter has put into other mailboxes. */
export function idsOfForwarded({ id, ask }: Letter): string[] {
  return ask.kind === 'forward' ? ask.letters.map((_, n) => `${id}.${n}`) : [];
}
