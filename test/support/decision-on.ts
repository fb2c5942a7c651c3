import type { View } from '../../src/sandbox/workspace/model.ts';

/** What a reviewer enters in the form of a decision. The block IDs change with what is reviewed. */
export function decisionOn({ blocks }: View, comment = ''): Record<string, string | string[]> {
  const entered: Record<string, string | string[]> = { comment, seen: ['seen'] };
  return Object.fromEntries(
    blocks.flatMap(({ block_id: id = '' }) =>
      Object.entries(entered).flatMap(([input, value]) =>
        id.startsWith(input) && value.length > 0 ? [[id, value]] : [],
      ),
    ),
  );
}
