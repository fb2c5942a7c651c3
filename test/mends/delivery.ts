import { mendsOf, type Mend } from './mend.ts';

/** Of messages that go out, each once. */
export const delivery: readonly Mend[] = [
  ...mendsOf('src/durable/posting.ts', 'test/durable/posting.test.ts', {
    'a message that may have arrived is looked for during 40 seconds': [
      'const looksAfterMs = [2_000, 5_000, 10_000, 20_000, 40_000];',
      'const looksAfterMs = [2_000, 5_000];',
    ],
    'the platform’s pause is kept': ['if (retryAfterMs !== undefined) return retryAfterMs;', ''],
    'a message that is refused for its length is posted in halves': ['most: Math.floor(entries / 2)', 'most: entries'],
    'a message whose answer was lost stays in flight': [
      "const mayBeThere = isLook || answer.kind === 'unclear';",
      'const mayBeThere = isLook;',
    ],
    'an entry that is refused alone holds up the others no longer': [
      `return tries < triesAtMost
`,
      `return tries > 0
`,
    ],
  }),
  ...mendsOf('src/features/delivery/channel-machine.ts', 'test/features/delivery/channel-machine.test.ts', {
    'a subscription that was made meanwhile keeps its entries': [
      'take: step.orphans.filter(isOrphan).map(',
      'take: step.orphans.filter((one) => isOrphan(one) || one).map(',
    ],
    'a thread whose head is gone gets another': [
      'const kept = isThreadGone && inFlight.thread ? withoutThread(state, inFlight.thread.key) : state;',
      'const kept = state;',
    ],
  }),
  ...mendsOf('src/features/delivery/next-step.ts', 'test/features/delivery/channel-machine.test.ts', {
    'a paused channel gets nothing': [
      'if (subscriptions.length > 0 && pausedIn(view).length === subscriptions.length)',
      'if (subscriptions.length < 0)',
    ],
    'what is in flight is looked for before anything else is posted': [
      "if (inFlight) return { kind: 'resolve-uncertain', inFlight };",
      '',
    ],
    'a thread’s head is updated at most every 10 seconds': [
      'return now >= refreshedAt + refreshEveryMs ?',
      'return now >= refreshedAt ?',
    ],
    'entries without a subscription are dropped': ["if (orphans.length > 0) return { kind: 'discard', orphans };", ''],
    'the head of a thread that shows too few is updated': [
      'return messageId !== undefined && shown < submitted;',
      'return messageId !== undefined && shown > submitted;',
    ],
  }),
  ...mendsOf('src/features/delivery/next-step.ts', 'test/features/delivery/next-message.test.ts', {
    'names are shown only where the subscription shows them': [
      'return { submission, showsNames };',
      'return { submission, showsNames: showsNames || true };',
    ],
    'the day of a thread is that of the subscription’s time zone': [
      "return dateFormat('sv-SE', dayFormat, timeZone).format(moment);",
      "return dateFormat('sv-SE', dayFormat, timeZone && 'UTC').format(moment);",
    ],
  }),
];
