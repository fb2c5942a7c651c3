import { isEmailAddress } from '../api/users.ts';
import { HttpError } from '../http.ts';
import { type Reply } from '../../http.ts';
import { type Html, html, page, pageRoute, redirect, textField, type Visit } from './page.ts';
import { listQuizzes, type Quiz, type QuizSettings } from '../store/quizzes.ts';
import { listQuestions, type UploadedFile } from '../store/questions.ts';
import { readStart } from '../store/responses.ts';
import { listTakers, type UserRecord } from '../store/users.ts';
import {
  type GuestRegistration,
  openQuiz,
  registerGuest,
  registerUser,
  requireAttempt,
  startAttempt,
  type Submission,
  submitAttempt,
} from '../taking/attempts.ts';
import type { GivenAnswer, Question } from '../taking/scoring.ts';

/** The list of open quizzes, and all pages of an attempt up to its submission. */
export const takeRoutes = [
  pageRoute('GET', '/', ({ site, query }) => {
    const open = listQuizzes(site.account.database).filter((quiz) => quiz.status === 'open');
    const suffix = query.has('as') ? `?as=${encodeURIComponent(query.get('as') ?? '')}` : '';
    return page(
      'Quizzes',
      html`<h1>Take a quiz</h1>
<section aria-label="Open quizzes">
${
  open.length === 0
    ? html`<p>No quiz is open right now.</p>`
    : html`<ul class="plain">${open.map((quiz) => html`<li><a href="/take/${quiz.quiz_id}${suffix}">${quiz.name}</a></li>`)}</ul>`
}
</section>`,
    );
  }),

  pageRoute('GET', '/take/:quiz_id', (visit) => registrationPage(visit)),

  pageRoute('POST', '/take/:quiz_id', (visit) => {
    const { site, parameters, form, peer } = visit;
    const { settings } = openQuiz(site.account, parameters.quiz_id);
    const guest = readGuest(form, settings);
    const missing = missingField(guest);
    if (missing !== undefined) return registrationPage(visit, missing);
    const responseId = registerGuest(site.account, parameters.quiz_id, guest, peer.address);
    return redirect(`/attempts/${responseId}`);
  }),

  pageRoute('POST', '/take/:quiz_id/as-user', ({ site, parameters, form, peer }) => {
    const responseId = registerUser(site.account, parameters.quiz_id, textField(form, 'user_id'), peer.address);
    return redirect(`/attempts/${responseId}`);
  }),

  pageRoute('GET', '/attempts/:response_id', ({ site, parameters }) => {
    const response = requireAttempt(site.account, parameters.response_id);
    if (response.status === 'submitted') return redirect(`/results/${response.response_id}`);
    const { quiz, settings } = openQuiz(site.account, response.quiz_id);
    const questions = listQuestions(site.account.database, quiz.quiz_id);
    const startedMs = readStart(site.account.database, response.response_id);
    if (startedMs === null) {
      return page(
        quiz.name,
        html`<h1>${quiz.name}</h1>
<section><h2>Ready, ${response.first_name}?</h2>${quizFacts(settings, questions.length)}
<form method="post" action="/attempts/${response.response_id}/start"><button>Start</button></form></section>`,
      );
    }
    return page(
      quiz.name,
      html`<h1>${quiz.name}</h1>
<form class="card" method="post" enctype="multipart/form-data" action="/attempts/${response.response_id}" data-attempt>
${questionFields(questions)}
<button>Submit</button>
</form>`,
    );
  }),

  pageRoute('POST', '/attempts/:response_id/start', ({ site, parameters }) => {
    startAttempt(site.account, parameters.response_id);
    return redirect(`/attempts/${parameters.response_id}`);
  }),

  pageRoute('POST', '/attempts/:response_id', async ({ site, parameters, form }) => {
    const { quiz_id } = requireAttempt(site.account, parameters.response_id);
    const questions = listQuestions(site.account.database, quiz_id);
    submitAttempt(site.account, parameters.response_id, await readSubmission(form, questions));
    return redirect(`/results/${parameters.response_id}`);
  }),
];

function registrationPage(visit: Visit<'quiz_id'>, error?: string): Reply {
  const { database } = visit.site.account;
  const { quiz, settings } = openQuiz(visit.site.account, visit.parameters.quiz_id);
  const questionCount = listQuestions(database, quiz.quiz_id).length;
  if (questionCount === 0) {
    return page(
      quiz.name,
      html`<h1>${quiz.name}</h1><section><p>This quiz doesn’t have any questions yet.</p></section>`,
    );
  }
  return page(
    quiz.name,
    html`<h1>${quiz.name}</h1>
<section>${quizFacts(settings, questionCount)}</section>
${userChoice(visit, quiz)}
<form class="card" method="post" action="/take/${quiz.quiz_id}">
<h2>Take it as a guest</h2>
${error !== undefined && html`<p class="error" role="alert">${error}</p>`}
${guestFields(visit.form, settings)}
<button>Continue</button>
</form>`,
    { status: error === undefined ? 200 : 422 },
  );
}

function quizFacts(settings: QuizSettings, questionCount: number): Html {
  const { pass_mark, attempts_limit } = settings;
  return html`<dl>
<dt>Questions</dt><dd>${questionCount}</dd>
<dt>Pass mark</dt><dd>${pass_mark}%</dd>
<dt>Attempts</dt><dd>${attempts_limit ?? 'no limit'}</dd>
</dl>`;
}

/** Offers to take the quiz as the person whom the link names, or as another one who has it. */
function userChoice({ site, query }: Visit, quiz: Quiz): Html {
  const people = listTakers(site.account.database, quiz.quiz_id);
  const named = query.get('as')?.toLowerCase();
  const follower = people.find((person) => person.user_name.toLowerCase() === named);
  const others = people.filter((person) => person !== follower);
  return html`${follower && continueAs(follower, quiz)}
${others.length > 0 && takerChoice(others, quiz)}`;
}

const continueAs = (
  user: UserRecord,
  quiz: Quiz,
): Html => html`<form class="card" method="post" action="/take/${quiz.quiz_id}/as-user">
<h2>This quiz is assigned to you</h2>
<input type="hidden" name="user_id" value="${user.user_id}">
<button>Continue as ${fullName(user)}</button>
</form>`;

const takerChoice = (
  people: readonly UserRecord[],
  quiz: Quiz,
): Html => html`<form class="card" method="post" action="/take/${quiz.quiz_id}/as-user">
<h2>Take it as somebody</h2>
<p class="hint" id="taker-hint">The list shows the people who have this quiz. Nobody needs a password here.</p>
<div class="field"><label for="user_id">Person</label>
<select id="user_id" name="user_id" aria-describedby="taker-hint">
${people.map((person) => html`<option value="${person.user_id}">${fullName(person)}</option>`)}
</select></div>
<button>Continue as this person</button>
</form>`;

function guestFields(form: FormData, settings: QuizSettings): Html {
  const field = (name: string, label: string, type = 'text', autocomplete = 'off') => html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required value="${textField(form, name)}">
</div>`;
  return html`
${field('first_name', 'First name', 'text', 'given-name')}
${field('last_name', 'Last name', 'text', 'family-name')}
${field('email_address', 'E-mail address', 'email', 'email')}
${settings.registration_fields.map((name, i) => field(`registration_${i}`, name))}
${settings.access_code !== '' && field('access_code', 'Access code')}`;
}

function readGuest(form: FormData, settings: QuizSettings): GuestRegistration {
  return {
    first_name: textField(form, 'first_name'),
    last_name: textField(form, 'last_name'),
    email_address: textField(form, 'email_address'),
    access_code: textField(form, 'access_code'),
    registration_fields: settings.registration_fields.map((name, i) => ({
      name,
      value: textField(form, `registration_${i}`),
    })),
  };
}

/** @returns a message about the first missing field */
function missingField(guest: GuestRegistration): string | undefined {
  if (guest.first_name === '' || guest.last_name === '') return 'Enter your first and last name.';
  if (!isEmailAddress(guest.email_address)) return 'Enter your e-mail address.';
  const blank = guest.registration_fields.find((field) => field.value === '');
  return blank && `Fill in “${blank.name}”.`;
}

function fullName({ first_name, last_name, user_name }: UserRecord): string {
  return `${first_name} ${last_name}`.trim() || user_name;
}

const fileLimitMb = 5;

/** Renders the questions. The name of each field is `q_` and the question_id. */
function questionFields(questions: readonly Question[]): Html {
  return html`${questions.map((question, i) => questionField(question, i + 1))}`;
}

function questionField(question: Question, number: number): Html {
  const name = `q_${question.question_id}`;
  const title = `${number}. ${question.text}`;
  const label = html`<label for="${name}">${title}</label>`;
  switch (question.type) {
    case 'radio_button':
    case 'checkbox': {
      const type = question.type === 'checkbox' ? 'checkbox' : 'radio';
      return html`<fieldset><legend>${title}</legend>
${question.type === 'checkbox' && html`<p class="hint">Choose all that apply</p>`}
${question.options.map(
  ({ option_id, text }) => html`<div class="choice">
<input type="${type}" id="o_${option_id}" name="${name}" value="${option_id}"><label for="o_${option_id}">${text}</label>
</div>`,
)}</fieldset>`;
    }
    case 'dropdown':
      return html`<div class="field">${label}<select id="${name}" name="${name}"><option value="">Choose…</option>
${question.options.map(({ option_id, text }) => html`<option value="${option_id}">${text}</option>`)}</select></div>`;
    case 'free_text':
      return html`<div class="field">${label}<input type="text" id="${name}" name="${name}" autocomplete="off"></div>`;
    case 'essay':
      return html`<div class="field">${label}<textarea id="${name}" name="${name}"></textarea></div>`;
    default:
      return html`<div class="field">${label}
<input type="file" id="${name}" name="${name}" aria-describedby="${name}_hint">
<p class="hint" id="${name}_hint">Up to ${fileLimitMb} MB</p></div>`;
  }
}

/** @throws HttpError 413 when a file is too large */
async function readSubmission(form: FormData, questions: readonly Question[]): Promise<Submission> {
  const answers = new Map<string, GivenAnswer>();
  const files: Omit<UploadedFile, 'file_id'>[] = [];
  for (const question of questions) {
    const values = form.getAll(`q_${question.question_id}`);
    if (question.type === 'file_upload') files.push(...(await readFiles(values, question.question_id)));
    else
      answers.set(
        question.question_id,
        readAnswer(
          question,
          values.filter((value) => typeof value === 'string'),
        ),
      );
  }
  return { answers, files };
}

/** Keeps only options of the question, and only one of them unless it is a checkbox question. */
function readAnswer({ type, options }: Question, values: string[]): GivenAnswer {
  if (type === 'free_text' || type === 'essay') return { selectedOptionIds: [], text: values[0] ?? '' };
  const selected = options.map((option) => option.option_id).filter((optionId) => values.includes(optionId));
  return { selectedOptionIds: type === 'checkbox' ? selected : selected.slice(0, 1), text: '' };
}

async function readFiles(values: (string | File)[], questionId: string): Promise<Omit<UploadedFile, 'file_id'>[]> {
  const files = values.filter((value) => value instanceof File).filter((file) => file.size > 0);
  for (const file of files) {
    if (file.size > fileLimitMb * 1024 * 1024)
      throw new HttpError(413, `“${file.name}” is larger than ${fileLimitMb} MB.`);
  }
  return Promise.all(
    files.map(async (file) => ({
      question_id: questionId,
      name: file.name || 'file',
      content_type: isMediaType(file.type) ? file.type : 'application/octet-stream',
      content: await file.bytes(),
    })),
  );
}

/** The type becomes a response header of the download, so it must not contain other characters. */
function isMediaType(text: string): boolean {
  return /^[\w.+-]+\/[\w.+-]+$/.test(text);
}
