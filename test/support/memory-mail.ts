import { createMail, type Mail } from '../../src/durable/mail.ts';
import type { Outbox } from '../../src/storage/storage.ts';
import { recordingLog } from './log.ts';

/** Mail into an outbox; a test runs the mailboxes by itself. @param onWake called with each that has mail */
export function createMemoryMail(outbox: Pick<Outbox, 'put'>, onWake: (queue: string) => void = () => {}): Mail {
  return createMail({ outbox, queues: { wake: async (queue) => onWake(queue) }, log: recordingLog().log });
}
