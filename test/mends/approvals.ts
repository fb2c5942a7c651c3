import { mendsOf, type Mend } from './mend.ts';

/** Of requests that wait for another person’s decision. */
export const approvals: readonly Mend[] = [
  ...mendsOf('src/governance/approvals/requests.ts', 'test/governance/approvals/decide.test.ts', {
    'nobody reviews their own request': [
      'if (request.requesterId === reviewer.personId && !deps.allowsSelfApproval)',
      'if (request.requesterId === reviewer.id && !deps.allowsSelfApproval)',
    ],
    'a decision counts only for what the reviewer was shown': [
      'if (seen === undefined || seen.failures !== request.failures) {',
      'if (seen === undefined) {',
    ],
    'only the requester withdraws a request': [
      'if (stored.request.requesterId !== requester.personId)',
      "if (stored.request.requesterId === '')",
    ],
    'a request is decided once': [
      "request.state === 'open' && steadyNow() < request.expiresAt && !isNews(request)",
      'steadyNow() < request.expiresAt && !isNews(request)',
    ],
    'nothing is approved after its time': [
      "request.state === 'open' && steadyNow() < request.expiresAt && !isNews(request)",
      "request.state === 'open' && !isNews(request)",
    ],
    'a request past its time expires when somebody looks': [
      "if (stored?.request.state !== 'open' || steadyNow() < stored.request.expiresAt) return stored;",
      'if (stored !== undefined) return stored;',
    ],
  }),
  ...mendsOf('src/governance/approvals/prepare.ts', 'test/governance/approvals/prepare.test.ts', {
    'nobody approves their own request with a second account': [
      'if (!allowsSelfApproval && isSamePerson(reviewer, requester)) return refusal(ownRequest);',
      '',
    ],
    'the reviewer has the right of the operation': [
      'if (!rightsOf(reviewer).has(right)) return refusal(denialMessage(reviewer, right, deps.platform));',
      '',
    ],
    'the requester still sees what they asked about': [
      `if ((await resolveInput(operation, request.input, requester)).kind !== 'read')
      return { kind: 'void', message: notForRequester };`,
      '',
    ],
    'the one who approves is read from the service right before the run': [
      'await identity.actorsNow([reviewerId, request.requesterId], call)',
      '[await cached(reviewerId, call), await cached(request.requesterId, call)]',
    ],
    'only an administrator decides on an operation that this version does not know': [
      "return operation?.right ?? 'administrator';",
      "return operation?.right ?? 'staff';",
    ],
    'whoever could not have decided learns nothing of how it ended': [
      'return seen ? undefined : outOfSight;',
      'return seen || request ? undefined : outOfSight;',
    ],
    'a trainer does not deny what they do not manage': [
      'return known.isHidden ? outOfSight : undefined;',
      'return undefined;',
    ],
  }),
  ...mendsOf('src/governance/approvals/reconcile.ts', 'test/governance/approvals/reconcile.test.ts', {
    'a request expires at its time': ['if (time >= request.expiresAt)', 'if (time > request.expiresAt + 3_600_000)'],
    'reviewers are reminded once': [
      'return request.isReminded || time < request.remindAt ?',
      'return time < request.remindAt ?',
    ],
    'nothing runs that nobody approved': [
      "if (decision.verdict !== 'approved' || by === undefined) {",
      'if (by === undefined) {',
    ],
    'what makes something new is not made again after a crash': [
      'if (!isFirstRun && operation?.makesNew)',
      'if (isFirstRun && !operation?.makesNew && operation === undefined)',
    ],
    'what changed after the approval is not run': [
      'if (decision.preview === undefined || !isSamePreview(decision.preview, preparation.preview)) {',
      'if (decision.preview === undefined) {',
    ],
    'that a run begins is kept before it does': [
      'const started = await replaceRequest(approvals, current, { ...request, startedAt: request.startedAt ?? now() });',
      'const started = current;',
    ],
    'a request whose run failed is open again': [
      `...reopened(last),
      failures`,
      `...last,
      failures`,
    ],
    'a failed run asks for another approval': ['failures: last.failures + 1,', 'failures: last.failures,'],
    'an approval is taken back only before its run was started': [
      "last.decision?.verdict === 'approved' && last.startedAt === undefined ?",
      "last.decision?.verdict === 'approved' ?",
    ],
    'a decision is on the record once': [
      'if (!isOnRecord) await putOnRecord(request, decision);',
      'await putOnRecord(request, decision);',
    ],
    'one request that cannot be reconciled holds up no other': [
      `await reconcile(request).catch((error: unknown) =>
          log.error({ error, request: request.id }, 'request not reconciled'),
        );`,
      'await reconcile(request);',
    ],
  }),
  ...mendsOf('src/governance/approvals/reconcile.ts', 'test/governance/approvals/at-once.test.ts', {
    'one step works on a request at a time': [
      `return turn.isBusy ? undefined : turn.value;
    } finally`,
      `return turn.isBusy ? work(await readRequest(approvals, { teamId, id }), announce) : turn.value;
    } finally`,
    ],
    'what was stored while a step worked is shown after it': [
      'if (isHeld && !hasFailed) await showRest({ teamId, id });',
      '',
    ],
  }),
  ...mendsOf('src/governance/approvals/announce.ts', 'test/governance/approvals/announce.test.ts', {
    'a request is posted to its reviewers once': [
      'const messages = isKnown ? posts.messages : await notifier.findPosts(request);',
      'const messages = posts.messages;',
    ],
    'nothing is posted while an earlier message may still arrive': ['if (!isKnown) assertLooksAreOver(request);', ''],
    'what was posted is kept where the rest fails': ['if (posts !== request.posts) await keep(stored, posts);', ''],
    'a decision is told to the requester once': [
      'if (isThere && isDecision && (isFirst || !(await notifier.hasReplied(request, known, stage))))',
      'if (isThere && isDecision)',
    ],
    'a requester who withdrew gets no new message': [
      'isThere ? known : isWithdrawn ? undefined :',
      'isThere ? known :',
    ],
    'an added reason changes the reviewers’ messages': [
      `return state === 'open' && reasonsAdded > 0
`,
      `return state === 'closed' && reasonsAdded > 0
`,
    ],
  }),
  ...mendsOf('src/governance/approvals/requests.ts', 'test/governance/approvals/prepare.test.ts', {
    'who may deny is asked of the service': [
      'if (refusal !== undefined) return refuse(reviewer, request, refusal);',
      '',
    ],
  }),
];
