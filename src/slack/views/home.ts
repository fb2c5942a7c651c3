import type { HomeView } from '@slack/types';
import type { Operation } from '../../operations/operation.ts';
import { commandList } from './help.ts';
import { md, plain, section } from './mrkdwn.ts';

/** The Home tab: what the person may do here, or why that is nothing. */
export function homeView(offers: { operations: readonly Operation[]; sentence: string | undefined }): HomeView {
  const blocks =
    offers.sentence === undefined
      ? [
          section(md`Type one of these in any conversation:`),
          ...commandList(offers.operations),
        ]
      : [section(md`🚫 ${offers.sentence}`)];
  return { type: 'home', blocks: [{ type: 'header', text: plain('Your quiz account, from Slack', 150) }, ...blocks] };
}
