import type { KnownBlock } from '@slack/types';

/** A message: `text` is its notification and what a screen reader reads. Both are escaped. */
export interface Message {
  text: string;
  blocks: KnownBlock[];
}
