/*
 * The protocol by which click-tally counts a click once: producer, queue, consumers, DynamoDB, operator.
 *
 * Each transition is a guard canX(...) and an effect x(...). The processes at the end try them in every order.
 * docs/proof.md names the function behind each. configurations.ts has the bounds, and the mutants that must be refuted:
 *   CLICKS, MESSAGES       ids, and messages that carry them, copies included
 *   CONSUMERS, BATCH       function instances with one invocation at a time, and messages of an invocation
 *   REQUESTS, COPIES       tokens in use at a time, and copies of a request under way at a time
 *   RECEIVES, REDRIVES     maxReceiveCount, and whether an operator redrives each dead letter once
 *   ON_SHEET               clicks whose markers are slots of one shared sheet; the others have items of their own
 *   CHANGED, UNKNOWN       messages with a known id and another payload; clicks of a missing link
 *   MAX_DAY, BUS, QUEUE, DEAD_LETTER, LIFE  days; a world of no days has no expiry
 *   OVERNIGHT              invocations and requests may last past one midnight
 *   REUSE                  the second click has the first one's id, once the first one's guarantee is over
 *   EARLY                  all is published first, because lying in the queue is like coming late
 *   CALM, STEADY           the faults end at some time; there are none
 *   TELLS                  tokens are never forgotten, and a consumer that waits for the request that counts a click is told so
 *   KEY                    the id that keys the marker: clickOf, firstOf, eventOf or messageOf
 *   STEPS                  0 for one transaction, or one of those below
 */
#define CLAIM_FIRST 1   /* claim, work, answer */
#define RECORD_AFTER 2  /* look, work, record */
#define STOCK 3         /* Powertools' own layer: in progress, work, completed */
#define NAIVE 4         /* work */
#define ENTER (BUS + DEAD_LETTER + QUEUE - OVERNIGHT)  /* how late a copy may enter the queue */
#define HIDES CALM  /* until then a message may come back at any time, so hiding it changes nothing */
#define NONE 255
#define clickOf(m) messages[m].click
#define firstOf(m) 0
#define eventOf(m) m
#define messageOf(m) (m + messages[m].redriven * MESSAGES)  /* a redrive makes a new message */

/* ---- State ---- */
#define isInBatch(m, i) (batch(i, 0) == m)
#define sheetOf(c) (c >= CLICKS - ON_SHEET -> 0 : NONE)
#define linkExists(l) (l == 0)
mtype = { unsent, visible, hidden_, dead, deleted, pending, counted, duplicate, failed };

typedef Message {
  mtype place = unsent;
  byte click, link, day, receives;
  byte holders;  /* invocations that have it */
  bit done, redriven;  /* done: an invocation reported success, so Lambda may delete it */
  byte since   /* when it entered the queue */
};
typedef Marker {  /* an item of its own, or a slot of the sheet */
  bit exists, working;  /* working: INPROGRESS, in the variant with Powertools' own layer */
  byte day, until
};
typedef Cached { byte until; bit day };  /* what an instance remembers; until: the last day plus one, or 0 */
typedef Consumer {
  byte size;  /* of the batch; 0 while idle */
  byte batch[BATCH], request[BATCH] = NONE;  /* request: the one whose answer the message awaits */
  mtype outcome[BATCH];
  byte replace;  /* positions whose marker is known to have expired */
  byte born;     /* the day on which the invocation began */
  byte step  /* of a variant that works in several writes */
};
typedef Request {
  byte owner = NONE, flying, entry[BATCH] = NONE;  /* entry: messages, by position */
  byte replace, born, gaveUp;  /* gaveUp: the consumer, plus one, that sent it and no longer waits for it */
  bit committed                /* DynamoDB remembers the token */
};

Message messages[MESSAGES];
Marker markers[KEYS];
Consumer consumers[CONSUMERS];
Request requests[REQUESTS];
Cached cache[CONSUMERS * KEYS];
byte times[CLICKS], committer[CLICKS], dayOfCounted[CLICKS];
byte total[2], days[4], sheetUntil, sent[CLICKS], now;
byte published, changes;
byte filler = NONE;  /* the consumer whose batch is being put together */
byte unfinished;     /* queued messages, busy consumers and requests under way */
bit calm = STEADY;    /* the faults are over */
byte j, k, x, who, mask, shown, rejected, contended, deletes, hears;  /* only used within a transition */
#define tidy() deletes = 0; hears = 0; j = 0; k = 0; x = 0; who = 0; mask = 0; shown = 0; rejected = 0; contended = 0

/* What must never be; the process "auditor" looks at them. */
bit twice, phantom, lost, untold;

#define when(condition, effect) if :: condition -> effect :: else fi
#define each(p) for (p : 0 .. BATCH - 1)
#define marker(m) markers[KEY(m)]
#define batch(i, p) consumers[i].batch[p]
#define outcome(i, p) consumers[i].outcome[p]
#define entry(r, p) requests[r].entry[p]
#define has(m, p) ((m >> (p)) & 1)
#define isSame(d, m) (d == messages[m].day)  /* the payload */
#define isQueued(m) (messages[m].place == visible || messages[m].place == hidden_)
#define isYoung(m, life) (now - messages[m].since <= life)
#define keyAt(i, p) KEY(batch(i, p))
#define isOnSheet(m) (sheetOf(clickOf(m)) != NONE)
#define lastDay(m) (isOnSheet(m) -> sheetUntil : marker(m).until)
#define hasExpired(m) (now > lastDay(m))
#define cached(m, i) cache[(i) * KEYS + KEY(m)]
#define isDone(i, p) (p < consumers[i].size && (outcome(i, p) == counted || outcome(i, p) == duplicate))
/* The first message of its key in the batch goes first; the others wait for its outcome. */
#define isWaiting(i, p) (p < consumers[i].size && outcome(i, p) == pending && consumers[i].request[p] == NONE)

/* ---- The producer, the bus, SQS and Lambda's mapping ---- */
#define isNext(m) (messages[m].place == unsent && (m == 0 || messages[m - 1].place != unsent))
inline enqueue(m, itsClick, itsLink, itsDay) {
  messages[m].click = itsClick; messages[m].link = itsLink; messages[m].day = itsDay;
  messages[m].place = visible; messages[m].since = now; unfinished++
}

#define canReappear(m) (messages[m].place == hidden_ && (!calm || messages[m].holders == 0 && !messages[m].done))
inline reappear(m) { messages[m].place = visible }
#define canJoin(m, i) (filler == NONE && consumers[i].size == 0 || filler == i && consumers[i].size < BATCH && !isInBatch(m, i))
#define canReceive(m, i) (messages[m].place == visible && (!EARLY || messages[MESSAGES - 1].place != unsent) && \
  messages[m].receives < RECEIVES && isYoung(m, QUEUE) && canJoin(m, i))
#define canRecall(m, i) (cached(m, i).until > now)
inline receive(m, i, recalls) {
  when(consumers[i].size == 0, unfinished++; consumers[i].born = now);
  when(HIDES, messages[m].place = hidden_);
  messages[m].receives++; messages[m].holders++;
  j = consumers[i].size; consumers[i].size++; filler = i;
  batch(i, j) = m; outcome(i, j) = pending;
  when(recalls, outcome(i, j) = (isSame(cached(m, i).day, m) -> duplicate : failed))
}

#define canDelete(m) (isQueued(m) && messages[m].done)
inline delete(m) {
  messages[m].place = deleted; messages[m].since = 0; unfinished--;
  when(times[clickOf(m)] == 0 || !isSame(dayOfCounted[clickOf(m)], m), lost = !STEPS)
}

#define canDie(m) (messages[m].place == visible && messages[m].receives == RECEIVES)
inline die(m) { messages[m].place = dead; messages[m].done = 0; unfinished-- }
#define canRedrive(m) (messages[m].place == dead && !messages[m].redriven && messages[m].holders == 0 \
  && isYoung(m, DEAD_LETTER) && now - sent[clickOf(m)] <= ENTER)
inline redrive(m) {
  messages[m].place = visible; messages[m].receives = 0; messages[m].redriven = 1; messages[m].since = now; unfinished++
}

/* ---- The consumer ---- */
inline settleDuplicate(i, p, m) {
  if
  :: isSame(marker(m).day, m) ->
     outcome(i, p) = duplicate; cached(m, i).day = marker(m).day; cached(m, i).until = 1 + (hasExpired(m) -> now : lastDay(m));
     when(committer[clickOf(m)] == i + 1, untold = 1)
  :: else -> outcome(i, p) = failed
  fi
}

/* A repeat in the batch shares the outcome, but compares its own payload with the marker. Without a marker, it goes next. */
#define isRepeat(i, p, q) (isWaiting(i, p) && q < consumers[i].size && outcome(i, q) != pending && keyAt(i, p) == keyAt(i, q))
inline settleRepeats(i) {
  each(j) { each(k) {
    if
    :: !isRepeat(i, j, k)
    :: isRepeat(i, j, k) && isSame(messages[batch(i, k)].day, batch(i, j)) ->
       outcome(i, j) = (outcome(i, k) == failed -> failed : duplicate)
    :: else ->
       x = batch(i, j);
       if
       :: outcome(i, k) != failed -> outcome(i, j) = failed
       :: else -> when(marker(x).exists && !hasExpired(x), settleDuplicate(i, j, x))
       fi
    fi
  } }
}

/* A transaction for some waiting messages with different keys. */
#define isFree(r) (requests[r].owner == NONE && requests[r].flying == 0)
inline send(i, r, some) {
  requests[r].owner = i;
  each(j) { when(has(some, j), entry(r, j) = batch(i, j); consumers[i].request[j] = r) }
  requests[r].replace = consumers[i].replace & some; requests[r].born = consumers[i].born;
  requests[r].flying = 1; unfinished++;
  when(filler == i, filler = NONE)
}

/* The same request with the same token, once more. */
#define canRetry(r) (requests[r].owner != NONE && requests[r].flying < (calm -> 1 : COPIES))
inline retry(r) { requests[r].flying++; unfinished++ }

/* The consumer no longer waits for this request; copies of it may still arrive. */
inline drop(r) {
  when(requests[r].owner != NONE,
    each(k) { when(entry(r, k) != NONE, consumers[requests[r].owner].request[k] = NONE) }
    requests[r].gaveUp = TELLS * (requests[r].owner + 1); requests[r].owner = NONE);
  forgetToken(r)
}
inline forgetToken(r) {
  when(isFree(r),
    each(k) { entry(r, k) = NONE }
    requests[r].replace = 0; requests[r].born = 0; requests[r].gaveUp = 0; requests[r].committed = 0)
}

inline leave(i) {
  each(j) { x = consumers[i].request[j]; when(x != NONE, drop(x)) }
  each(j) {
    when(j < consumers[i].size, messages[batch(i, j)].holders--);
    batch(i, j) = 0; outcome(i, j) = 0
  }
  for (j : 0 .. CLICKS - 1) { when(committer[j] == i + 1, committer[j] = 0) }
  for (j : 0 .. REQUESTS - 1) { when(requests[j].gaveUp == i + 1, requests[j].gaveUp = 0) }
  when(filler == i, filler = NONE);
  consumers[i].size = 0; consumers[i].replace = 0; consumers[i].born = 0; consumers[i].step = 0; unfinished--
}

/* The answer of the invocation: whatever is not settled by its deadline has failed. */
inline finish(i) {
  each(j) { when(isDone(i, j), messages[batch(i, j)].done = isQueued(batch(i, j))) }
  leave(i)
}

#define position(i) (outcome(i, 0) == pending -> 0 : BATCH - 1)
inline crash(i) {
  /* A record in progress expires with its invocation. */
  when(STEPS == STOCK && consumers[i].step > 0,
    x = batch(i, position(i)); marker(x).exists = 0; marker(x).working = 0);
  leave(i);
  for (j : 0 .. KEYS - 1) { cache[i * KEYS + j].until = 0; cache[i * KEYS + j].day = 0 }
}

/* ---- DynamoDB ---- */
inline expire(m) {  /* TTL deletes, if it has come to it */
  if :: isOnSheet(m) -> for (k : 0 .. CLICKS - 1) { when(sheetOf(k) == sheetOf(clickOf(m)), markers[k].exists = 0) }
     :: else -> marker(m).exists = 0 fi
}

#define mayReplace(r, p, m) (has(requests[r].replace, p) && !isOnSheet(m) && hasExpired(m))
#define blocks(r, p, m) (marker(m).exists && !mayReplace(r, p, m))

/* Which conditions of the request fail: at markers, and at links that do not exist. */
inline examine(r) {
  each(j) {
    x = entry(r, j);
    when(x != NONE && !has(contended, j),
      when(deletes && marker(x).exists && hasExpired(x), expire(x));
      when(blocks(r, j, x), shown = shown | (1 << j));
      when(!linkExists(messages[x].link), rejected = rejected | (1 << j)))
  }
}

inline count(m) {
  total[messages[m].link]++; times[clickOf(m)]++;
  dayOfCounted[clickOf(m)] = messages[m].day;
  when(times[clickOf(m)] > 1, twice = 1);
  when(!linkExists(messages[m].link), phantom = 1)
}
#define countDay(m) days[messages[m].link * 2 + messages[m].day]++

inline mark(m, last_) {
  marker(m).exists = 1; marker(m).day = messages[m].day;
  if
  :: isOnSheet(m) -> sheetUntil = (sheetUntil < last_ -> last_ : sheetUntil)
  :: else -> marker(m).until = last_
  fi
}

/* Markers and increments, all at one instant. */
inline commit(r) {
  each(j) {
    x = entry(r, j);
    when(x != NONE,
      mark(x, requests[r].born + LIFE); count(x); countDay(x);
      committer[clickOf(x)] = (TELLS && requests[r].owner != NONE -> requests[r].owner + 1 : 0))
  }
  requests[r].committed = 1
}

inline land(r) { requests[r].flying--; unfinished-- }
/* The consumer reads that its request was committed. */
inline readCommit(r) {
  who = requests[r].owner;
  each(j) {
    x = entry(r, j);
    when(x != NONE,
      outcome(who, j) = counted; cached(x, who).day = messages[x].day; cached(x, who).until = 1 + requests[r].born + LIFE)
  }
  drop(r);
  settleRepeats(who)
}

/*
 * The consumer reads why its request was cancelled. Only a failed condition at the marker means duplicate, and one at the link that the
 * click cannot be counted. The rest goes again: the same request if all of it met contention, a new one otherwise.
 */
inline readCancellation(r) {
  who = requests[r].owner;
  each(j) {
    x = entry(r, j);
    when(x != NONE,
      mask = mask | (1 << j);
      if
      :: !has(shown, j) -> when(has(rejected, j), outcome(who, j) = failed)
      :: has(shown, j) && !isOnSheet(x) && hasExpired(x) ->
         consumers[who].replace = consumers[who].replace | (1 << j)
      :: else -> settleDuplicate(who, j, x)
      fi)
  }
  when(shown != 0 || rejected != 0 || contended != mask, drop(r));
  settleRepeats(who)
}

/* ---- Every order ---- */
#define last (BATCH - 1)
#define isPending(i) (outcome(i, 0) == pending || consumers[i].size > 1 && outcome(i, last) == pending)
#define lastWaits(i) (last > 0 && isWaiting(i, last) && !(outcome(i, 0) == pending && keyAt(i, 0) == keyAt(i, last)))
#define waiting(i) (isWaiting(i, 0) + 2 * lastWaits(i))
#define free() (isFree(0) -> 0 : (isFree(1) -> 1 : (isFree(REQUESTS - 1) -> REQUESTS - 1 : NONE)))
#define rests(i) (consumers[i].size == 0 || OVERNIGHT && consumers[i].born == now)
#define hasLanded(r) (requests[r].flying == 0 || OVERNIGHT && requests[r].born == now)
#define nothingRuns() (rests(0) && rests(CONSUMERS - 1) && hasLanded(0) && hasLanded(1) && hasLanded(REQUESTS - 1))
#define both(r) (entry(r, 0) != NONE && entry(r, last) != NONE && BATCH > 1)

/* Whether the consumer hears the answer, or it is lost. */
#define maybeHears(r) if :: hears = requests[r].owner != NONE :: requests[r].owner != NONE && !calm -> hears = 0 fi
#define hear(read, r) \
  if \
  :: hears -> read(r); printf(", which consumer %d reads\n", who + 1) \
  :: else -> printf(", but nobody hears the answer\n"); forgetToken(r) \
  fi

#if STEPS
/* The next write of a consumer that does not count in one transaction. */
#define looks(i) (consumers[i].step == 0 && STEPS != NAIVE)
inline writeNext(i) {
  k = position(i); x = batch(i, k);
  when(filler == i, filler = NONE);
  if
  :: looks(i) && marker(x).exists && marker(x).working -> outcome(i, k) = failed;
     printf("> consumer %d finds that message %d is in progress\n", i + 1, x + 1)
  :: looks(i) && marker(x).exists && !marker(x).working -> outcome(i, k) = duplicate;
     printf("> consumer %d finds the marker of message %d and takes the message for a duplicate\n", i + 1, x + 1)
  :: looks(i) && !marker(x).exists && STEPS == RECORD_AFTER -> consumers[i].step = 1;
     printf("> consumer %d finds no record of message %d\n", i + 1, x + 1)
  :: looks(i) && !marker(x).exists && STEPS != RECORD_AFTER -> consumers[i].step = 1;
     mark(x, now + LIFE); marker(x).working = (STEPS == STOCK); printf("> consumer %d writes the marker of message %d\n", i + 1, x + 1)
  :: consumers[i].step == 1 || STEPS == NAIVE -> consumers[i].step = 2;
     count(x); countDay(x); printf("> consumer %d counts message %d\n", i + 1, x + 1);
     when(STEPS == CLAIM_FIRST || STEPS == NAIVE, consumers[i].step = 0; outcome(i, k) = counted)
  :: consumers[i].step == 2 -> consumers[i].step = 0; outcome(i, k) = counted;
     mark(x, now + LIFE); marker(x).working = 0; printf("> consumer %d records message %d as done\n", i + 1, x + 1)
  fi
}
#endif

/* Powertools' cache may have forgotten a key, or the instance is another one. */
#define receiving(i, m, recalls) d_step { canReceive(m, i) && (!recalls || canRecall(m, i)) -> receive(m, i, recalls); tidy(); \
  if :: messages[m].receives == 1 -> printf("> consumer %d receives message %d\n", i + 1, m + 1) \
     :: else -> printf("> consumer %d receives message %d again\n", i + 1, m + 1) fi }

#define canReuse() (now > sent[0] + ENTER + QUEUE && now > markers[0].until)
#define canCopy(m, y) (isNext(m) && m > y && now - sent[clickOf(y)] <= ENTER)
#define copying(m, y) d_step { canCopy(m, y) -> enqueue(m, clickOf(y), messages[y].link, messages[y].day); \
  printf("> the producer sends click %d again, as message %d with another event id\n", clickOf(m) + 1, m + 1) }

proctype sqs(byte me) {
  end: do
  :: d_step { isNext(me) && published < CLICKS && (published == 0 -> now == 0 : !REUSE || canReuse()) ->
       enqueue(me, published, (published < UNKNOWN -> 1 : 0), 0);
       sent[published] = now; published++;
       printf("> click %d is published as message %d\n", clickOf(me) + 1, me + 1) }
  :: copying(me, 0)
  :: copying(me, 1)
  :: d_step { canCopy(me, 0) && changes < CHANGED -> changes++;
       enqueue(me, clickOf(0), messages[0].link, 1 - messages[0].day);
       printf("> message %d arrives with the id of click %d and another day\n", me + 1, clickOf(me) + 1) }
  :: receiving(0, me, 0)
  :: receiving(0, me, 1)
  :: receiving((CONSUMERS - 1), me, 0)
  :: receiving((CONSUMERS - 1), me, 1)
  :: d_step { canReappear(me) -> reappear(me); printf("> message %d becomes visible again\n", me + 1) }
  :: d_step { canDelete(me) -> delete(me); printf("> message %d is deleted as done\n", me + 1) }
  :: d_step { canDie(me) -> die(me); printf("> message %d moves to the dead-letter queue\n", me + 1) }
  :: d_step { canRedrive(me) && REDRIVES && (!CALM || calm) -> redrive(me); printf("> an operator redrives message %d\n", me + 1) }
  od
}

proctype lambda(byte me) {
  end: do
#if STEPS
  :: d_step { consumers[me].size > 0 && isPending(me) -> writeNext(me); tidy() }
#else
  /* All waiting messages, or only one of them. */
  :: atomic { waiting(me) != 0 && free() != NONE ->
       mask = waiting(me);
       if :: true :: mask == 3 -> mask = 1 :: mask == 3 -> mask = 2 fi;
       d_step { x = free(); send(me, x, mask); if
         :: mask == 3 -> printf("> consumer %d sends one transaction for messages %d and %d\n", me + 1, batch(me, 0) + 1, batch(me, last) + 1)
         :: else -> printf("> consumer %d sends a transaction for message %d\n", me + 1, batch(me, (mask == 1 -> 0 : last)) + 1)
         fi; tidy() } }
#endif
  :: d_step { consumers[me].size > 0 && !isPending(me) -> finish(me); tidy(); printf("> consumer %d reports its batch\n", me + 1) }
  :: d_step { consumers[me].size > 0 && isPending(me) && !calm && !STEPS -> finish(me); tidy();
       printf("> consumer %d runs out of time, and reports what is not settled as failed\n", me + 1) }
  :: d_step { consumers[me].size > 0 && !calm -> crash(me); tidy(); printf("> consumer %d crashes\n", me + 1) }
  od
}

proctype dynamodb(byte me) {
  end: do
  :: d_step { canRetry(me) -> retry(me); printf("> consumer %d sends its transaction again with the same token\n", requests[me].owner + 1) }
  :: d_step { requests[me].flying > 0 && !calm -> land(me); forgetToken(me); tidy(); printf("> a request gets lost\n") }
  :: atomic { requests[me].flying > 0 && requests[me].committed ->
       maybeHears(me);
       d_step { land(me); printf("> DynamoDB knows the token and answers that it has committed"); hear(readCommit, me); tidy() } }
  :: atomic { requests[me].flying > 0 && (!requests[me].committed || !TELLS) ->
       maybeHears(me);
       if :: true :: hears && !calm -> contended = 1 :: hears && !calm && both(me) -> contended = 2
          :: hears && !calm && both(me) -> contended = 3 fi;
       if :: MAX_DAY > 0 -> deletes = 1 :: true fi;
       d_step {
         when(contended == 1 && entry(me, 0) == NONE, contended = 2);
         land(me);
         if :: requests[me].committed -> printf("> ten minutes later, with the token forgotten,") :: else -> printf(">") fi;
         examine(me);
         if
         :: shown == 0 && rejected == 0 && contended == 0 -> commit(me); printf(" DynamoDB commits"); hear(readCommit, me)
         :: else ->
            printf(" DynamoDB cancels:");
            when(shown, printf(" there is a marker already"));
            when(rejected, printf(" there is no such link"));
            when(contended, printf(" another transaction is under way"));
            hear(readCancellation, me)
         fi;
         tidy() } }
  od
}

proctype world() {
  end: do
  :: atomic { now < MAX_DAY && nothingRuns() -> now++; printf("> day %d begins\n", now) }
  :: atomic { CALM && !calm -> calm = 1; printf("> the faults end\n") }
  od
}

/* ---- What must never be ---- */
#define sumsDiffer(l) (total[l] != days[l * 2] + days[l * 2 + 1])
#define isLost(m) (messages[m].place == deleted && times[clickOf(m)] == 0)

proctype auditor() {
  end: do
  :: twice -> printf("> a click has been counted twice\n"); assert(false)
  :: phantom -> printf("> a link that does not exist has clicks\n"); assert(false)
  :: lost -> printf("> a message has been deleted although its click was not counted\n"); assert(false)
  :: untold -> printf("> the consumer that counted a click is told that it is a duplicate\n"); assert(false)
  :: sumsDiffer(0) || sumsDiffer(1) ->
     printf("> the total is not the sum of the days\n"); assert(false)
  :: unfinished == 0 && (isLost(0) || isLost(MESSAGES / 2) || isLost(MESSAGES - 1)) ->
     printf("> the queue is empty, and a click is neither counted nor a dead letter\n"); assert(false)
  od
}

#if CALM
#define isCounted(c) (c >= published || c < UNKNOWN || times[c] > 0)
ltl live { [] (calm -> <> (isCounted(0) && isCounted(CLICKS - 1))) }
#endif

init { atomic {
  for (j : 0 .. MESSAGES - 1) { run sqs(j) }
  for (j : 0 .. CONSUMERS - 1) { run lambda(j) }
  for (j : 0 .. REQUESTS - 1) { run dynamodb(j) }
  run world(); run auditor(); tidy()
} }
