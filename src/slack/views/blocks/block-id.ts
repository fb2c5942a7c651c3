/**
 * A block ID that changes with the content. Slack keeps what was chosen in a message or view whose block keeps its ID, whatever
 * the block offers now: https://docs.slack.dev/reference/block-kit/blocks
 */
export function blockIdFor(name: string, content: unknown): string {
  return `${name} ${fnv1a(JSON.stringify(content))}`;
}

/** http://www.isthe.com/chongo/tech/comp/fnv/ */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return (hash >>> 0).toString(16);
}
