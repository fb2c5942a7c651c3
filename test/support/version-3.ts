/*
 * The exact JSON of bots of version 1.1, in both stores, and what it is in version 4.
 */

const survey =
  '{"quizId":"q-1","quizName":"Fire safety","responseId":"r-5","name":"Somebody without a name","points":0,"availablePoints":0,"percentage":0,"grade":"","passed":false,"attempt":0,"durationSeconds":0,"submittedAt":1541117147000,"isBackfilled":false}';
const failed =
  '{"quizId":"q-1","quizName":"Fire safety","responseId":"r-6","name":"Uma Ray","points":3.3333333333333335,"availablePoints":10,"percentage":33.333333333333336,"grade":"F","passed":false,"attempt":1,"durationSeconds":60,"submittedAt":1541117147000,"isBackfilled":false}';
const thread =
  '{"quizId":"q-1","quizName":"Fire safety","day":"2026-11-21","timeZone":"UTC","submitted":3,"passed":2,"percentagesTotal":180,"shown":3,"usedAt":5,"messageId":"1.5"}';

export const version3 = {
  survey: `{"kind":"submission","submission":${survey}}`,
  failed: `{"kind":"submission","submission":${failed}}`,
  digest:
    '{"kind":"digest","digest":{"from":1,"to":2,"quizzes":[{"quizId":"q-1","quizName":"Fire safety","submitted":3,"passed":1,"mean":60,"weekBefore":{"submitted":0,"mean":null},"percentages":[90,50,40],"failed":["Uma Ray","Somebody without a name"]}]}}',
  hint: '{"kind":"hint","quizId":"q-1","responseId":"r-7"}',
  state: `{"threads":{"s-1/q-1/2026-11-21":${thread}},"failures":0,"notBefore":7,"inFlight":{"id":"m-1","startedAt":6,"positions":[3],"thread":{"key":"s-1/q-1/2026-11-21","isParent":false,"counted":${thread}}}}`,
  digestState: '{"nextAt":9,"from":5}',
};

const result = { quizId: 'q-1', quizName: 'Fire safety', submittedAt: 1_541_117_147_000, isBackfilled: false };
const counts = { submitted: 3, passed: 2, failed: 1, unmarked: 0, scored: 3 };

export const version4 = {
  survey: {
    kind: 'submission',
    submission: {
      ...result,
      responseId: 'r-5',
      name: 'Guest',
      points: null,
      availablePoints: null,
      percentage: null,
      grade: '',
      outcome: 'not graded',
      attempt: null,
      durationSeconds: null,
    },
  },
  failed: {
    kind: 'submission',
    submission: {
      ...result,
      responseId: 'r-6',
      name: 'Uma Ray',
      points: 3.33,
      availablePoints: 10,
      percentage: 33.3,
      grade: 'F',
      outcome: 'failed',
      attempt: 1,
      durationSeconds: 60,
    },
  },
  digest: {
    kind: 'digest',
    digest: {
      from: 1,
      to: 2,
      quizzes: [
        {
          quizId: 'q-1',
          quizName: 'Fire safety',
          submitted: 3,
          passed: 1,
          failed: 2,
          unmarked: 0,
          mean: 60,
          weekBefore: { graded: 0, mean: null },
          percentages: [90, 50, 40],
          failedNames: ['Uma Ray', 'Guest'],
        },
      ],
    },
  },
  hint: { kind: 'hint', quizId: 'q-1', responseId: 'r-7' },
  state: {
    threads: { 's-1/q-1/2026-11-21': expectedThread() },
    failures: 0,
    notBefore: 7,
    inFlight: {
      id: 'm-1',
      startedAt: 6,
      positions: [3],
      thread: { key: 's-1/q-1/2026-11-21', isParent: false, counted: expectedThread() },
    },
  },
  digestState: { nextAt: 9, from: 5 },
};

function expectedThread() {
  return {
    quizId: 'q-1',
    quizName: 'Fire safety',
    day: '2026-11-21',
    timeZone: 'UTC',
    ...counts,
    percentagesTotal: 180,
    shown: 3,
    usedAt: 5,
    messageId: '1.5',
  };
}
