import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operationNamed } from '../../../src/operations/catalog.ts';
import { checkBlocks, type BlockRules } from '../../../src/sandbox/workspace/block-kit/validate.ts';
import { askedMessage, unexplainedMessage } from '../../../src/slack/views/approval-asked.ts';
import { newsMessage, passwordMessage, troubleMessage } from '../../../src/slack/views/approval-news.ts';
import { approvalMessage, reminderMessage } from '../../../src/slack/views/approval.ts';
import { decidedView, reviewView } from '../../../src/slack/views/review.ts';
import type { ApprovalRequest } from '../../../src/storage/approval-request.ts';
import { approvalRequest } from '../../support/approval-request.ts';
import { mrkdwnTexts } from '../../support/mrkdwn-texts.ts';

interface Said {
  surface: BlockRules['surface'];
  blocks: unknown;
  text?: string;
}

/** Everything the bot can say of a request, with the same text wherever a text from outside stands. */
function everythingWith(name: string): Said[] {
  const targets = Array.from({ length: 30 }, (_, index) => ({ kind: 'user' as const, id: `u-${index}`, name, facts: { Name: name, Type: name, Rights: name } }));
  const asked = { effect: name || 'Nothing is lost.', details: Array.from({ length: 12 }, () => ({ label: 'User', value: name })), targets };
  const request = approvalRequest({ reason: name, asked });
  const decided = (verdict: 'approved' | 'denied' | 'withdrawn' | 'expired', kind: 'done' | 'unknown' | 'not run' = 'done'): ApprovalRequest => ({
    ...request,
    state: 'announced',
    decision: { verdict, by: 'U00000ADA', comment: name, at: 2_500 },
    outcome: { kind, sentence: name, at: 2_600 },
  });
  const failed = { ...request, failures: 2, lastFailure: { sentence: name, by: 'U00000ADA', at: 2_500 } };
  const stages = [request, failed, decided('approved'), decided('approved', 'unknown'), decided('approved', 'not run'), decided('denied'), decided('withdrawn'), decided('expired')];
  const messages = [
    ...stages.flatMap((stage) => [approvalMessage(stage, 'UTC'), newsMessage(stage), reminderMessage(stage, 'UTC'), askedMessage(stage, 'UTC'), troubleMessage(stage, name)]),
    unexplainedMessage(operationNamed('delete-quiz')!, { quiz: [name] }),
    passwordMessage({ userName: name, password: 'not a real one' }),
  ];
  const changes = Array.from({ length: 40 }, () => name);
  const views = [
    ...stages.flatMap((stage) => [
      reviewView({ kind: 'review', request: stage, prospect: asked, changes }, 'UTC', name),
      reviewView({ kind: 'gone', request: stage, sentence: name }, 'UTC'),
      reviewView({ kind: 'own', request: stage }, 'UTC'),
      reviewView({ kind: 'over', request: stage }, 'UTC'),
      decidedView({ kind: 'decided', request: stage }, 'UTC'),
      decidedView({ kind: 'over', request: stage }, 'UTC'),
    ]),
    reviewView({ kind: 'refused', sentence: name }, 'UTC'),
  ];
  return [
    ...messages.map((message) => ({ surface: 'message' as const, ...message })),
    ...views.map((view) => ({ surface: 'modal' as const, blocks: view.blocks })),
  ];
}

function problemsWith(name: string): string[] {
  return everythingWith(name).flatMap(({ surface, blocks, text }, index) => {
    const { errors = [] } = checkBlocks(JSON.parse(JSON.stringify(blocks)), { surface });
    const tooLong = text !== undefined && text.length > 4_000 ? [`text of ${text.length} characters`] : [];
    return [...errors, ...tooLong].map((error) => `${surface} ${index}: ${error}`);
  });
}

describe('everything the bot can say of a request passes Slack’s limits', () => {
  test.each([
    ['1 character', 'x'],
    ['10,000 characters', 'x'.repeat(10_000)],
    ['10,000 characters to escape', '&<>'.repeat(3_333)],
    ['right-to-left script', 'اختبار السلامة '.repeat(50)],
    ['emoji', '👩‍🚒'.repeat(500)],
    ['nothing', ''],
  ])('with texts of %s', (_, name) => {
    expect(problemsWith(name)).toEqual([]);
  });

  test('with any texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (name) => {
        expect(problemsWith(name)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});

test('no text from outside in a request can mention, link or page', () => {
  const said = JSON.stringify(everythingWith('<!channel> <@U123> <https://x|y>').flatMap(({ blocks, text }) => [text, ...mrkdwnTexts(blocks)]));
  const ours = said.replaceAll(/<!date\^\d+\^[^<>]*>|<@U00000(?:ADA|UMA)>/g, '');
  expect(ours).not.toMatch(/[<>]/);
});
