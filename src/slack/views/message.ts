import type { KnownBlock } from '@slack/types';

/** A message: `text` is its notification and what a screen reader reads. Both are escaped. */
export interface Message {
  text: string;
  blocks: KnownBlock[];
  /**
   * The same facts in blocks that work everywhere, where some of `blocks` do not: modals have no charts and tables, and
   * a workspace can be older than a block.
   */
  plain?: KnownBlock[];
}
