import { mendsOf, type Mend } from './mend.ts';

/** Of submissions that come in, who subscribed to them, and messages that go out, each once. */
export const webhooks: readonly Mend[] = [
  ...mendsOf('src/features/webhooks/signature.ts', 'test/features/webhooks/signature.test.ts', {
    'a webhook is refused where no secret is configured': [
      `return rule.allowsUnsigned
`,
      `return rule.allowsUnsigned || rule.schemes.length > 0
`,
    ],
    'a signed time is at most five minutes away': ['Math.abs(offMs) <= toleranceMs', 'offMs <= toleranceMs'],
    'the signature of a body with a time covers the time': [
      'const signed = body && Buffer.concat([Buffer.from(`${timestamp}.`), body]);',
      'const signed = body;',
    ],
    'a signature of time and secret proves nothing of the body': [
      "coversBody: scheme !== 'timestamp-secret',",
      'coversBody: true,',
    ],
    'either secret is taken while one is rotated': [
      'matches([given], rule.secrets, body)',
      'matches([given], rule.secrets.slice(0, 1), body)',
    ],
    'the time of a Standard Webhook is checked': [
      `const late = untimely('webhook-timestamp', timestamp, nowMs, rule);
  if (late) return late;`,
      '',
    ],
    'a secret that is no base64 makes no empty key': [
      "[...(isBase64 ? [Buffer.from(text, 'base64')] : []),",
      "[Buffer.from(text, 'base64'),",
    ],
    'only signatures of version 1 count': [
      `.filter((one) => one.startsWith('v1,'))
`,
      `
`,
    ],
    'a signed time without a zone can be the account’s own': ['wallClock(timeZone).shownAt(nowMs)', 'nowMs'],
    'each signature in a header is compared': [
      'return signatures.map((given) => isSame(given, expected));',
      'return signatures.slice(0, 1).map((given) => isSame(given, expected));',
    ],
  }),
  ...mendsOf('src/features/webhooks/route.ts', 'test/features/webhooks/route.test.ts', {
    'the signature is checked over the body that came': [
      'if (!check.accepted) return send(401, refuseSignature(check));',
      'if (!check.accepted && !head.accepted) return send(401, refuseSignature(check));',
    ],
    'what is unsigned is refused before its body is read': [
      'if (!head.accepted) return refuseBody(request, response, 401, refuseSignature(head));',
      '',
    ],
    'an event that could not be kept is answered with 503': [
      "refuse(503, 'not_remembered',",
      "refuse(200, 'not_remembered',",
    ],
    'what is signed without its body is asked of the service': ['isTrusted: check.coversBody,', 'isTrusted: true,'],
    'only POST is taken': [
      "if (request.method !== 'POST') return answer(405",
      "if (request.method === 'PUT') return answer(405",
    ],
    'an event is kept before it is answered': [
      'const result = await inTurn(() => takeEvent(event));',
      "const result = 'taken' as 'taken' | 'known'; void inTurn(() => takeEvent(event));",
    ],
    'the webhooks of one tenant share no more than eight turns': [
      'if (running < atOnce) running += 1;',
      'if (running <= atOnce) running += 1;',
    ],
  }),
  ...mendsOf('src/features/webhooks/take.ts', 'test/features/webhooks/take.test.ts', {
    'a channel gets a submission once': [
      'posted.toReversed().map(({ id, teamId, channelId }) => [channelQueue(teamId, channelId), id]),',
      "posted.toReversed().map(({ id, teamId, channelId }) => [channelQueue(teamId, `${channelId}${posted.length > 1 ? id : ''}`), id]),",
    ],
    'the subscription to a quiz comes before one to all': [
      'Number(a.quiz === null) - Number(b.quiz === null) || b.createdAt - a.createdAt',
      'b.createdAt - a.createdAt',
    ],
    'a submission from before the subscription is not announced': [
      'if (submission.isBackfilled && (submission.submittedAt ?? 0) < createdAt) return false;',
      '',
    ],
    'a subscription to one quiz gets that quiz alone': [
      'if (quiz !== null && quiz.id !== submission.quizId) return false;',
      '',
    ],
    'a correction is a message of its own': [' && submission.corrects === undefined;', ';'],
    'a correction reaches whoever was told the result before': [
      ' || (corrects !== undefined && hasResult(corrects, filter))',
      '',
    ],
    'another event about the same result is announced once': [
      "if (content?.kind !== 'submission' || result === undefined || !isCorrection(before, readKnown(result)))",
      "if (content?.kind !== 'submission' || result === undefined)",
    ],
  }),
  ...mendsOf('src/features/webhooks/inbox.ts', 'test/features/webhooks/fan-out.test.ts', {
    'an event that fails holds up no other': [
      'if (await hasEnded(one.event, tries, error, true)) done.push(one);',
      'throw error;',
    ],
    'an event that fails is set aside after 20 tries': ['count >= triesAtMost ||', 'count > 3 * triesAtMost ||'],
    'an outage of the service is no try of an event': [
      '!isRefusal(error) && (wasWell || !isOutage(error))',
      '!isRefusal(error)',
    ],
    'a response that is not submitted yet is looked up again': [
      "if (response !== 'gone' && !isSubmitted(response) && now() - takenAt < triedForMs) {",
      "if (response !== 'gone' && !isSubmitted(response) && takenAt < 0) {",
    ],
    'one answer settles every hint about a response': [
      'return keep([hint, ...others], tries);',
      'return keep([hint], tries);',
    ],
  }),
  ...mendsOf('src/features/webhooks/inbox.ts', 'test/features/webhooks/webhook-counters.test.ts', {
    'what waits for a paused subscription is kept for a week': [
      'const keptPausedMs = 7 * dayMs;',
      'const keptPausedMs = dayMs;',
    ],
    'an event is known for 30 days': ['const knownForMs = 30 * dayMs;', 'const knownForMs = 3 * dayMs;'],
    'digests are woken after a start': ["if (delivery.kind === 'digest') await wake(digestQueue(teamId, id));", ''],
    'administrators see the last five events that were set aside': [
      '[event, ...others].slice(0, listedAtMost)',
      '[...others, event].slice(0, listedAtMost)',
    ],
  }),
  ...mendsOf('src/features/webhooks/backfill.ts', 'test/features/webhooks/backfill.test.ts', {
    'a submission is not announced while its webhook may still come': [
      'const graceMs = 5 * 60_000;',
      'const graceMs = 5_000;',
    ],
    'what was submitted before the subscription is left out': [
      'const from = Math.max(since, now() - looksBackMs);',
      'const from = now() - looksBackMs;',
    ],
    'what is announced already is not found again': [
      'const unknown = responses.filter((one) => !known.has(subjectOf(one)));',
      'const unknown = responses.filter((one) => known.size < 0 || subjectOf(one));',
    ],
    'people come first while few requests are left': [
      'if (!catchingUp && windows.some(({ left, limit }) => left < limit * shareLeftToPeople[pressure]))',
      'if (!catchingUp && windows.some(({ left }) => left < 0))',
    ],
    'a quiz that is gone stops no comparison': ["if (!failedFor(error, 'gone')) throw error;", 'throw error;'],
    'each subscribed quiz has its turn': [
      '[...quizIds.filter((id) => id > lastQuizId), ...quizIds.filter((id) => id <= lastQuizId)],',
      'quizIds,',
    ],
  }),
  ...mendsOf('src/features/webhooks/tally.ts', 'test/features/webhooks/webhook-counters.test.ts', {
    'counts that could not be kept are kept later': [
      'for (const [field, by] of counted) count(counts, field, by);',
      '',
    ],
    'the last counts are kept before the bot stops': [
      `await keeping.stop();
      await keep();`,
      'await keeping.stop();',
    ],
  }),
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
