import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { Clock } from './clock.ts';
import type { KeptConversations, State } from './state.ts';

const pauseMs = 500;

/** Reads what the last run wrote. Only this program writes the file, so the content is not validated. */
export const readConversations = (path: string): KeptConversations | undefined =>
  existsSync(path) ? (deserialize(readFileSync(path)) as KeptConversations) : undefined;

/** Writes the conversations half a second after a change, and on `close`. Ephemeral messages are not among them. */
export function keepConversations(state: State, clock: Clock, path: string): { close(): void } {
  let cancel: (() => void) | undefined;

  const write = (): void => {
    cancel = undefined;
    const { messages, channels, homes, files, fileBytes, workflows, workflowRuns, executions, tour, newId } = state;
    const kept: KeptConversations = {
      firstId: Number.parseInt(newId(''), 36),
      messages,
      channels,
      homes,
      files,
      fileBytes,
      workflows,
      workflowRuns,
      executions,
      tour,
    };
    const unfinished = `${path}.new`;
    writeFileSync(unfinished, serialize(kept));
    renameSync(unfinished, path);
  };

  const stopListening = state.changes.listen(() => {
    cancel ??= clock.after(pauseMs, write);
  });
  return {
    close() {
      stopListening();
      cancel?.();
      write();
    },
  };
}
