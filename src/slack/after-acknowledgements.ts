import { setImmediate as aTurn } from 'node:timers/promises';

/**
 * Resolves when whoever came at about the same time is acknowledged, too: they would wait for as long as an answer
 * takes to make. A second turn of the event loop takes in those who came during the first.
 */
export async function afterAcknowledgements(): Promise<void> {
  await aTurn();
  await aTurn();
}
