import type { CheckResult, Finding } from '../../../src/domain/finding.ts';
import { notAskedYet, serviceFinding, serviceMeaning } from '../../../src/quiz-api/observed-quiz-api.ts';
import { contentFinding, contentMeaning, cutTrailFinding, trailMeaning } from '../../../src/storage/checks.ts';
import type { ContentLoss } from '../../../src/storage/passport.ts';

const contentLost: ContentLoss = {
  kind: 'replaced',
  found: { id: 'new', generation: 1 },
  known: { id: 'old', generation: 40 },
  knownAt: Date.UTC(2026, 10, 21, 8),
  settledUntil: Date.UTC(2026, 10, 21, 7, 45),
};
export const lostContent: Finding = contentFinding(contentLost);
export const olderContent: Finding = contentFinding({ ...contentLost, kind: 'older' });
export const trailCut: Finding = cutTrailFinding('T1', { knownPosition: 120, lastPosition: 80 });

/** How the bot is where the quiz service is all there is to say. */
export const serviceUp: CheckResult[] = [{ check: serviceMeaning, finding: undefined }];
export const serviceDown: CheckResult[] = [{ check: serviceMeaning, finding: serviceFinding('ConnectionError') }];
export const serviceNotAsked: CheckResult[] = [{ check: serviceMeaning, finding: notAskedYet }];

/** Whatever an administrator may have to read of at once. */
export const troubles: CheckResult[] = [
  ...serviceDown,
  { check: contentMeaning, finding: olderContent },
  { check: trailMeaning, finding: trailCut },
];
