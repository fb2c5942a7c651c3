import type { View } from '../../src/sandbox/workspace/model.ts';

/** The inputs of a review. Their block IDs change with what is reviewed. */
export function decisionOn({ blocks }: View, verdict: 'approved' | 'denied', comment = ''): Record<string, string> {
  const idOf = (input: string) => blocks.find(({ block_id }) => block_id?.startsWith(input))?.block_id ?? input;
  return { [idOf('verdict')]: verdict, ...(comment && { [idOf('comment')]: comment }) };
}
