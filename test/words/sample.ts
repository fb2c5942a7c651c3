import type { HomeView, ModalView } from '@slack/types';
import type { Message } from '../../src/slack/views/blocks/message.ts';

/** Something the bot shows, for `sentences.md`, in which a person reads all of it in a row. */
export interface Sample {
  /** The situation, as a noun phrase or a short clause: “A trainer closes a quiz”. */
  when: string;
  /** A sentence alone is in the form of `domain/said.ts`. */
  shown: Message | ModalView | HomeView | string;
}
