import type { SectionBlock } from '@slack/types';
import type { ApprovalRequest, ChangePreview } from '../../domain/approval-request.ts';
import { md, mrkdwnElement, shortText, type Mrkdwn } from './mrkdwn.ts';

/** `suspend-user` as “suspend user”. */
export function operationWords(name: string): string {
  return name.replaceAll('-', ' ');
}

/** What is asked for, in one line: “suspend user: Rosa Almeida”. */
export function requestTitle({ operation, asked }: Pick<ApprovalRequest, 'operation' | 'asked'>): string {
  const names = asked.targets.map(({ name }) => name);
  const what = names.length > 0 ? names : asked.details.slice(0, 1).map(({ value }) => value);
  return shortText(what.length === 0 ? operationWords(operation) : `${operationWords(operation)}: ${new Intl.ListFormat('en').format(what.slice(0, 5))}`, 200);
}

export function effectLine({ effect }: Pick<ChangePreview, 'effect'>): Mrkdwn {
  return md`${shortText(effect, 900) || 'What it does is not described.'}`;
}

/** What was filled in, as label and value. */
export function detailFields({ details }: Pick<ChangePreview, 'details'>): SectionBlock[] {
  if (details.length === 0) return [];
  return [{ type: 'section', fields: details.slice(0, 10).map(({ label, value }) => mrkdwnElement(md`*${shortText(label, 100)}*\n${shortText(value, 300) || 'none'}`)) }];
}

export function reasonLine({ reason }: Pick<ApprovalRequest, 'reason'>): Mrkdwn {
  return md`*Why:* ${shortText(reason, 1_000)}`;
}
