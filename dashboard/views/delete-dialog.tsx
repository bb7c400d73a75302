import { useSignal } from '@preact/signals';
import { tag } from '../state/arrangement.ts';
import { hash } from '../state/browser.ts';
import { deleteLink } from '../state/deleted-links.ts';
import { explainAction, unconfirmed } from '../state/problems.ts';
import { hashOfList, parseRoute } from '../state/route.ts';
import { Dialog, FormEnd } from './dialog.tsx';

/** Deletes a link once the viewer has confirmed it. */
export function DeleteDialog({ code, onClose }: { code: string; onClose: () => void }) {
  const problem = useSignal<string | undefined>(undefined);
  const isSending = useSignal(false);
  const remove = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending.value) return;
    isSending.value = true;
    try {
      await deleteLink(code);
      // The list has a note that undoes it.
      if (parseRoute(hash.peek()).view === 'link') location.hash = hashOfList(tag.peek());
      onClose();
    } catch (error) {
      problem.value = explainAction(unconfirmed('the link was deleted'), error);
    }
    isSending.value = false;
  };
  return (
    <Dialog title={`Delete ${code}?`} onClose={onClose}>
      <form onSubmit={remove}>
        <p>
          Within 30 seconds, visitors see that the link doesn't exist. For 90 days, you can restore
          it with its clicks. Then everything is gone, and anyone may use the code.
        </p>
        <FormEnd
          problem={problem.value}
          isSending={isSending.value}
          submit="Delete"
          sending="Deleting…"
        />
      </form>
    </Dialog>
  );
}
