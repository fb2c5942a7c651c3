import type { HomeView, KnownBlock } from '@slack/types';
import type { Operation, Right } from '../../operations/operation.ts';
import { commandList } from './help.ts';
import { md, plain, section } from './mrkdwn.ts';

/** The Home tab: what the person may do here, or why that is nothing. */
export function homeView(standing: { operations: readonly Operation[]; refusal(right: Right): string | undefined }): HomeView {
  const sentence = standing.refusal('known');
  if (sentence !== undefined) return sorryView(sentence);
  return home([section(md`Type one of these in any conversation:`), ...commandList(standing.operations)]);
}

/** The Home tab of somebody who has none; the sentence says why. */
export function sorryView(sentence: string): HomeView {
  return home([section(md`🚫 ${sentence}`)]);
}

function home(blocks: KnownBlock[]): HomeView {
  return { type: 'home', blocks: [{ type: 'header', text: plain('Your quiz account, from Slack', 150) }, ...blocks] };
}
