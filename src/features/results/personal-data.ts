import { nameWithoutAddresses } from '../../domain/short-name.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';

type RegistrationField = QuizResponse['registration_fields'][number];

/** The response without what tells how to reach the person and where they were, and without the links to their documents. */
export function withoutPersonalData(response: QuizResponse): QuizResponse {
  return {
    ...response,
    first_name: nameWithoutAddresses(response.first_name, ''),
    last_name: nameWithoutAddresses('', response.last_name),
    user_name: null,
    email_address: '',
    ip_address: '',
    access_code: '',
    certificate_url: null,
    response_report_url: null,
    registration_fields: response.registration_fields.filter((field) => !isPersonal(field)),
  };
}

/**
 * Whether a registration field may tell how to reach the person: by its label, which administrators write themselves, or by
 * an answer with an e-mail address, a link, or as many digits as a telephone number or a date of birth.
 */
export function isPersonal({ name, value }: RegistrationField): boolean {
  return (
    personalLabel.test(name) ||
    [name, value].some(
      (text) =>
        /\S@\S|:\/\/|[\p{L}\p{N}]\.\p{L}{2}/u.test(text) || (text.match(/\p{Nd}/gu)?.length ?? 0) >= fewestDigits,
    )
  );
}

const fewestDigits = 6;

/** Parts of the usual labels in the languages of the service's sites. */
const personalLabel =
  /mail|phone|telefon|telefoon|téléphone|teléfono|\btel\b|mobil|móvil|\bcell|\bhandy|\bfax|address|adres|dirección|endereço|indirizzo|street|straße|strasse|\bzip|postal|postcode|postleitzahl|contact|kontakt|contatto|whatsapp|telegram|skype|linkedin|facebook|instagram|twitter|\burl|website|birth|geburt|naissance|nacimiento|nascita|passport/i;
