import { useSignal } from '@preact/signals';
import type { UpdateLinkRequest } from '../../lib/links/api/link-request.ts';
import { mapLines } from '../../lib/links/rules/link-fields.ts';
import { readLink, updateLink } from '../state/links.ts';
import { ApiError, toFields, unconfirmed } from '../state/problems.ts';
import { Dialog, Form, type LinkDialogProps } from './dialog.tsx';
import { LinkFields, listEntered, parseTexts, readTexts, writeTexts } from './form-fields.tsx';

type Expected = Required<NonNullable<UpdateLinkRequest['expected']>>;

/** The form for a link's texts. */
export function EditDialog({ link, note, onUpdate, onClose }: LinkDialogProps) {
  // The list may be read again meanwhile. The later of two editors must still be told.
  const known = useSignal(link);
  const isOutdated = useSignal(false);

  const save = async (form: HTMLFormElement) => {
    const { url, expiresAt = null, tags = null, forwardQuery = null } = known.value;
    const lines = mapLines((name) => known.value[name] ?? null);
    const expected: Expected = { url, expiresAt, ...lines, tags, forwardQuery };
    const values = parseTexts(readTexts(form));
    const entered = listEntered(form, known.value);
    if (entered.length > 0) {
      const change = Object.fromEntries(entered.map((name) => [name, values[name]]));
      const updated = await updateLink(link.code, { ...change, expected }).catch((error) => {
        const isConflict = error instanceof ApiError && error.status === 409;
        return isConflict ? catchUp(form, error) : Promise.reject(error);
      });
      onUpdate?.(updated);
      note.value = { text: 'Saved. Visitors see the change within 30 seconds.' };
    }
    form.closest('dialog')?.close();
  };
  /** Shows the link as it is now, and throws an error that says so. What the viewer has entered stays. */
  const catchUp = async (form: HTMLFormElement, { status, message }: ApiError): Promise<never> => {
    const current = await readLink(link.code).catch((error) => {
      throw new ApiError(status, '', toFields("Your changes weren't saved.", error));
    });
    writeTexts(form, current, listEntered(form, known.value));
    onUpdate?.(current);
    known.value = current;
    isOutdated.value = true;
    throw new ApiError(status, '', { form: `${message} To replace that, save again.` });
  };
  return (
    <Dialog title={`Edit ${link.code}`} onClose={onClose}>
      <Form
        submit="Save"
        sending="Saving…"
        send={save}
        inDoubt={unconfirmed('your changes were saved')}
        note={note}
      >
        {(problems) => (
          <LinkFields link={known.value} isOutdated={isOutdated.value} problems={problems} />
        )}
      </Form>
    </Dialog>
  );
}
