import type { KnownBlock } from '@slack/types';
import type { Campaign } from '../../../domain/campaign.ts';
import { say } from '../../../domain/said.ts';
import { addToCampaign } from '../../../features/campaigns/operations/add.ts';
import type { OperationResult } from '../../../operations/operation-result.ts';
import { operationButton } from '../blocks/buttons.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import { section } from '../blocks/mrkdwn.ts';
import { nameList } from './campaign-counts.ts';

const joinedNamesAtMost = 10;
/** Whose IDs fit in a button. */
const addedAtOnce = 30;

/** Who has joined its groups since, with a button that takes them in. */
export function joinedBlocks(
  { id }: Campaign,
  joined: Extract<OperationResult, { kind: 'campaign' }>['joined'],
  offered: ReadonlySet<string>,
): KnownBlock[] {
  if (joined.length === 0) return [];
  const names = nameList(
    joined.map(({ name }) => name),
    { most: joinedNamesAtMost },
  );
  const sentence =
    joined.length === 1
      ? say`👋 ${names} has joined its groups since, and isn’t in it.`
      : say`👋 ${names} have joined its groups since, and aren’t in it.`;
  const add = operationButton('joined', {
    text: say`Add them`,
    doing: 'beside',
    operation: addToCampaign,
    raw: { people: joined.slice(0, addedAtOnce).map(({ userId }) => `user:${userId}`), campaign: [id] },
  });
  return [section(sentence), ...buttonRow(offered.has(addToCampaign.name) ? add : [])];
}
