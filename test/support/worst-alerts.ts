import { eventBody } from './event.ts';

const ungraded = { points: 0, percentage_score: 0, grade: '', pass: false };

/** Webhooks whose alerts are the hardest to word, each with what its alert says and what no alert may say. */
const worst: readonly { name: string; data: Record<string, unknown>; says: string; isWithout: RegExp }[] = [
  {
    name: 'survey',
    data: { ...ungraded, quiz_name: 'Onboarding survey', available_points: 0, attempt: 1 },
    says: '📋 *Rosa Almeida* submitted *Onboarding survey*. Not graded.',
    isWithout: /points|grade [A-F]|passed|failed|attempt, |0%/i,
  },
  {
    name: 'essay',
    data: {
      ...ungraded,
      quiz_name: 'Handover, written exam',
      first_name: 'Kofi',
      last_name: 'Brandt',
      available_points: 10,
      attempt: 0,
      duration: null,
    },
    says: '🖊️ *Kofi Brandt* submitted *Handover, written exam*. Waiting to be marked.',
    isWithout: /points|grade|passed|failed|0th|0%/i,
  },
  {
    name: 'guest',
    data: {
      first_name: '',
      last_name: null,
      email_address: 'guest@visitor.example',
      attempt: null,
      duration: null,
      grade: null,
      pass: true,
    },
    says: '✅ *Guest* passed *Fire safety* with 90% (9 of 10 points)',
    isWithout: /visitor\.example|grade|\dth|Somebody/i,
  },
  {
    name: 'registered guest',
    data: {
      first_name: '',
      last_name: '',
      registration_fields: [
        { name: 'E-mail', value: 'juno@visitor.example' },
        { name: 'Full name', value: 'Juno Kaya' },
      ],
      attempt: 1,
    },
    says: '✅ *Juno Kaya* passed *Fire safety* with 90% (9 of 10 points), grade A',
    isWithout: /visitor\.example/,
  },
  {
    name: 'HTML in the quiz name',
    data: {
      quiz_name:
        '<p><strong>Fire&nbsp;safety</strong> &amp; first aid<img src="https://quiz.example/logo.png" alt="logo"></p>',
      attempt: 1,
    },
    says: '✅ *Rosa Almeida* passed *Fire safety &amp; first aid [image: logo]* with 90% (9 of 10 points), grade A',
    isWithout: /&lt;|<p>|nbsp|quiz\.example/,
  },
  {
    name: 'floating-point tails',
    data: {
      quiz_name: 'Ladders',
      points: 0.30000000000000004,
      available_points: '0.90',
      percentage_score: 33.333333333333336,
      grade: 'F',
      pass: false,
      attempt: 1,
    },
    says: '❌ *Rosa Almeida* failed *Ladders* with 33.3% (0.3 of 0.9 points), grade F',
    isWithout: /\.\d{3}/,
  },
];

export const worstAlerts = worst.map((alert, index) => ({
  ...alert,
  /** The body of its webhook. `times` tells repeated events apart. */
  body: (times: number) =>
    eventBody(
      { event_id: `worst-${index}-${times}` },
      {
        response_id: `worst-${index}-${times}`,
        quiz_id: 'quiz_name' in alert.data ? `q-worst-${index}` : 'q-worst',
        ...alert.data,
      },
    ),
}));
