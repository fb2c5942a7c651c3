import { HttpError } from '../http/http-error.ts';
import type { UploadedFile } from '../store/answers.ts';
import type { Submission } from '../taking/attempts.ts';
import type { GivenAnswer, Question } from '../taking/scoring.ts';
import { type Html, html } from './html.ts';

const fileLimitMb = 5;

/** Renders the questions. The name of each field is `q_` and the question_id. */
export function questionFields(questions: readonly Question[]): Html {
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
export async function readSubmission(form: FormData, questions: readonly Question[]): Promise<Submission> {
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
      questionId,
      name: file.name || 'file',
      contentType: isMediaType(file.type) ? file.type : 'application/octet-stream',
      content: await file.bytes(),
    })),
  );
}

/** The type becomes a response header of the download, so it must not contain other characters. */
function isMediaType(text: string): boolean {
  return /^[\w.+-]+\/[\w.+-]+$/.test(text);
}
