/* Accepts a trace of the real code if each event is a transition of protocol.pml that is possible then. recorder.ts names the arguments. */
c_decl {
  enum { maxRows = 2 << 20, maxTraces = 1 << 14 };
  static int rows[maxRows][8], starts[maxTraces], furthest[maxTraces], traces;  /* zeros end a trace */
  static void reportTraces(void) {
    for (int each = 0; each < traces; each++)
      if (rows[starts[each] + furthest[each]][1] != 0) printf("refused: trace %d at event %d\n", each, furthest[each]);
    printf("followed %d traces\n", traces);
  }
  static void readTraces(void) {
    FILE *file = traces == 0 ? fopen("traces", "rb") : NULL;
    int count = file ? fread(rows, sizeof *rows, maxRows, file) : 0;
    for (int row = 0; row < count; row++) if (rows[row][1] == 0) starts[++traces] = row + 1;
    if (file) atexit(reportTraces);
  }
}
c_code {
  /* Loads the next event; nothing more once this trace has been accepted on another path. */
  static void loadEvent(void) {
    int *furthestOfIt = &furthest[now.record], *first = rows[starts[now.record]], *event = first + 8 * now.position;
    int isOver = first[8 * *furthestOfIt + 1] == 0;
    if (now.position > *furthestOfIt) *furthestOfIt = now.position;
    now.kind = isOver ? 0 : event[1];
    if (now.kind == 0) return;
    now.now = event[0]; now.a = event[2]; now.b = event[3]; now.c = event[4]; now.d = event[5]; now.e = event[6]; now.f = event[7];
  }
}

int record, position, kind, a, b, c, d, e, f;
#define done() tidy(); position++; c_code { loadEvent(); }

/* A transaction for messages that wait, with a key each. */
inline checkSend(i, some) {
  x = 1;
  each(j) {
    when(has(some, j) && !isWaiting(i, j), x = 0);
    each(k) { when(has(some, j) && has(some, k) && j != k && keyAt(i, j) == keyAt(i, k), x = 0) }
  }
}

/* What the invocation reports as failed, and nothing else, is not settled as counted. */
inline checkFinish(i, isFailed) {
  x = 1;
  each(j) { when(j < consumers[i].size && has(isFailed, j) == isDone(i, j), x = 0) }
}

init {
  c_code { readTraces(); };
  atomic { do :: c_expr { now.record < traces - 1 } -> record++ :: break od; c_code { loadEvent(); } };
  end: do
  :: d_step { kind == CLICK -> sheet[a] = b; sent[a] = now; done() }
  :: d_step { kind == SETTINGS -> life = a; done() }
  :: d_step { kind == LINK -> exists[a] = b; done() }
  :: d_step { kind == HOST -> for (j : 0 .. CLICKS - 1) { known[a * CLICKS + j] = 0 } done() }
  :: d_step { kind == ENQUEUE ->
       messages[a].receives = 0; messages[a].holders = 0; messages[a].done = 0;
       enqueue(a, b, c, d); done() }
  :: atomic { kind == START -> if :: consumers[a].size > 0 -> d_step { leave(a) } :: else fi; host[a] = b; done() }
  /* An invocation may come so late that its messages were deleted meanwhile. */
  :: atomic { kind == RECEIVE && messages[a].place != unsent && canJoin(a, b) -> receive(a, b); if :: c -> filler = NONE :: else fi; done() }
  :: atomic { kind == SEND -> checkSend(b, c); x -> d_step { drop(a); requests[a].flying = 0; forgetToken(a); send(b, a, c); done() } }
  :: d_step { kind == RETRY && canRetry(a) && requests[a].owner == b -> done() }
  :: d_step { kind == DROP && requests[a].owner != NONE -> drop(a); done() }
  :: atomic { kind == COMMIT -> if :: deletes = 1 :: deletes = 0 fi; examine(a);
       shown == 0 && refused == 0 -> d_step { commit(a); if :: b && requests[a].owner != NONE -> readCommit(a) :: else fi; done() } }
  :: d_step { kind == REPLAY && requests[a].committed -> if :: b && requests[a].owner != NONE -> readCommit(a) :: else fi; done() }
  :: atomic { kind == CANCEL -> if :: deletes = 1 :: deletes = 0 fi; examine(a);
       (c & ~shown) == 0 && (d & ~shown) == 0 && (e & ~refused) == 0 ->
       shown = c; refused = e; contended = f;
       /* A refusal without its item tells nothing unless the item could be read. */
       if :: shown = shown | d :: d != 0 -> contended = contended | d fi;
       d_step { if :: b && requests[a].owner != NONE -> readCancellation(a) :: else fi; done() } }
  :: atomic { kind == FINISH -> checkFinish(a, b); x -> d_step { finish(a); done() } }
  :: d_step { kind == DELETE && canDelete(a) -> delete(a); lost == 0 -> done() }
  :: d_step { kind == DIE && isQueued(a) -> die(a); done() }
  :: d_step { kind == TOTAL && total[a] == b -> done() }
  :: d_step { kind == COUNT && days[a * DAYS + b] == c -> done() }
  /* A marker outlives the paths on which its click may return; the expiry of a sheet never moves back. */
  :: d_step { kind == LIVES && a != NONE && b + 1 >= markers[a].until -> markers[a].until = b; done() }
  :: d_step { kind == LIVES && a == NONE && b + 1 >= sheetUntil[c] -> sheetUntil[c] = b; done() }
  od
}
