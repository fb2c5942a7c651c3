import { PlatformError } from '../../domain/errors.ts';
import { isClosed } from '../../durable/post-once.ts';
import type { Log } from '../../observability/log.ts';
import type { OutgoingFile } from '../../operations/services/files.ts';
import type { SendAnswer } from './monthly-machine.ts';
import type { Sending } from './monthly-state.ts';

/** How files reach people. */
export interface FilePlatform {
  /** @throws {PlatformError} where a call fails, and the error of an upload */
  sendFile: (personId: string, file: OutgoingFile) => Promise<void>;
  /**
   * Whether the bot sent a person a file with this name since a moment (milliseconds since the epoch).
   * @throws {PlatformError}
   */
  hasFile: (personId: string, name: string, since: number) => Promise<boolean>;
}

/** Sends a pack, once, and looks for one whose answer was lost. */
export function createSendPack({ sendFile, hasFile }: FilePlatform, log: Log) {
  return {
    async send(personId: string, file: OutgoingFile): Promise<SendAnswer> {
      try {
        await sendFile(personId, file);
        return 'sent';
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        log.warn({ error }, 'an evidence pack is not sent yet');
        if (!(error instanceof PlatformError)) return 'unclear';
        if (isClosed(error)) return 'closed';
        // A call is tried again where its answer was lost, and what was done already is refused then.
        return error.kind === 'rate_limited' ? { retryAfterMs: error.retryAfterMs ?? 0 } : 'unclear';
      }
    },
    isThere: async ({ to, fileName, startedAt }: Sending) => hasFile(to, fileName, startedAt),
  };
}
