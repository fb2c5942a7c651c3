import type { SectionBlock } from '@slack/types';
import { say } from '../../../domain/said.ts';
import type { Fact } from '../../../operations/page.ts';
import { mrkdwnElement } from './mrkdwn.ts';

/** Facts side by side; a section takes ten. */
export function factSection(facts: readonly Fact[]): SectionBlock {
  return {
    type: 'section',
    fields: facts.slice(0, 10).map(([label, fact]) => mrkdwnElement(say`*${label}*\n${fact ?? ''}`)),
  };
}
