/* brisk: answers by a few plain rules of thumb, in microseconds.
 *
 * It reads each request from `view` and `legal` alone, keeps nothing but what `hello` told, and
 * leaves nothing to chance. Cards are numbers in deck order: 13 * suit + rank, deuce to ace.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLUBS, DIAMONDS, HEARTS, SPADES, SUITS };
enum { JACK = 9, QUEEN, KING, ACE, RANKS };
enum { HAND = 13, MOST_SEATS = 4 };

static const char RANK_NAMES[] = "23456789TJQKA";
static const char SUIT_NAMES[] = "CDHS";

static int seat, seats;
static int bag_limit;
static bool nil_helps; /* a failed nil's tricks count towards the partner's bid */

static int suit_of(int card) { return card / RANKS; }
static int rank_of(int card) { return card % RANKS; }

/* -- JSON: find a value in a line that is known to be well formed --------------------------- */

static const char *skip_space(const char *at) { return at + strspn(at, " \t\r\n"); }

/* Skip one value: a string, or brackets with all they hold, or a word or number. */
static const char *skip_value(const char *at) {
    int depth = 0;
    do {
        if (*at == '"') {
            for (at++; *at && *at != '"'; at++)
                if (*at == '\\' && at[1]) at++;
            if (*at) at++;
        } else if (*at == '{' || *at == '[') {
            depth++;
            at++;
        } else if (*at == '}' || *at == ']') {
            depth--;
            at++;
        } else if (depth) {
            at++;
        } else {
            at += strcspn(at, ",]} \t\r\n");
        }
    } while (depth > 0 && *at);
    return at;
}

/* Step to the next element of an array or object: past its value and the comma behind it. */
static const char *next_element(const char *at) {
    at = skip_space(skip_value(at));
    return *at == ',' ? skip_space(at + 1) : at;
}

/* Find a key's value in an object, or NULL. */
static const char *find(const char *object, const char *key) {
    size_t length = strlen(key);
    if (!object || *object != '{') return NULL;
    for (const char *at = skip_space(object + 1); *at == '"';) {
        bool is_it = strncmp(at + 1, key, length) == 0 && at[1 + length] == '"';
        at = skip_space(skip_value(at));
        if (*at == ':') at = skip_space(at + 1);
        if (is_it) return at;
        at = next_element(at);
    }
    return NULL;
}

/* Step to the first element of an array; a missing array has none. */
static const char *first_element(const char *array) {
    return array && *array == '[' ? skip_space(array + 1) : "]";
}

/* Step to an element of an array by its number. */
static const char *element(const char *array, int number) {
    const char *at = first_element(array);
    while (number-- > 0 && *at && *at != ']') at = next_element(at);
    return at;
}

static bool is_string(const char *value, const char *text) {
    size_t length = strlen(text);
    return value && *value == '"' && strncmp(value + 1, text, length) == 0 &&
           value[1 + length] == '"';
}

static bool is_true(const char *value) { return value && *value == 't'; }

/* Read a whole number; null and whatever is missing give `other`. */
static int number(const char *value, int other) {
    return value && (*value == '-' || (*value >= '0' && *value <= '9')) ? atoi(value) : other;
}

static int card(const char *value) {
    const char *rank, *suit;
    if (!value || *value != '"' || !value[1] || !value[2]) return -1;
    rank = strchr(RANK_NAMES, value[1]);
    suit = strchr(SUIT_NAMES, value[2]);
    return rank && suit ? (int)((suit - SUIT_NAMES) * RANKS + (rank - RANK_NAMES)) : -1;
}

/* Read an array of cards, in deck order as the referee lists them. */
static int read_cards(const char *array, int cards[HAND]) {
    int count = 0;
    for (const char *at = first_element(array); *at == '"' && count < HAND; at = next_element(at))
        cards[count++] = card(at);
    return count;
}

/* -- before play ----------------------------------------------------------------------------- */

static bool is_double_nil(const char *view, int who) {
    return is_true(element(find(view, "double_nil"), who));
}

/* Bid double nil only with a partner to pass to, from far behind, and not both. */
static bool choose_blind_nil(const char *view) {
    const char *scores = find(view, "scores");
    int ours = number(element(scores, seat % 2), 0);
    int theirs = number(element(scores, 1 - seat % 2), 0);
    return seats == 4 && theirs - ours >= 150 && !is_double_nil(view, (seat + 2) % 4);
}

static bool choose_draft(const char *view) {
    int drawn = card(find(view, "drawn"));
    return suit_of(drawn) == SPADES || rank_of(drawn) >= KING;
}

/* Bid in tenths of a trick: honours, long spades, and short suits to ruff. */
static int choose_bid(const char *view, const char *legal) {
    int hand[HAND], length[SUITS] = {0}, tenths = 0, highest = 0, bid;
    int count = read_cards(find(view, "hand"), hand);
    for (int i = 0; i < count; i++) length[suit_of(hand[i])]++;
    for (int i = 0; i < count; i++) {
        int suit = suit_of(hand[i]), rank = rank_of(hand[i]);
        if (suit == SPADES) tenths += (seats == 2 ? 7 : 4) + (rank >= JACK ? 5 : 0);
        else if (rank == ACE) tenths += 8;
        else if (rank == KING) tenths += length[suit] > 1 ? 6 : 2;
        else if (rank == QUEEN && length[suit] > 2) tenths += 2;
    }
    for (int suit = CLUBS; suit < SPADES; suit++)
        if (length[SPADES] > 1 && length[suit] < 2) tenths += 6 - 3 * length[suit];
    bid = (tenths - (seats == 2 ? 12 : 5)) / 10;
    for (const char *at = first_element(legal); *at && *at != ']'; at = next_element(at))
        highest = number(at, highest);
    if (bid < 1) bid = 1;
    return bid < highest ? bid : highest;
}

/* Order cards from the least to the most likely to win. */
static int power(int which) { return rank_of(which) + (suit_of(which) == SPADES ? RANKS : 0); }

static int by_power(const void *one, const void *other) {
    return power(*(const int *)one) - power(*(const int *)other);
}

/* -- play ------------------------------------------------------------------------------------ */

struct table {
    int trick[MOST_SEATS], who[MOST_SEATS], count;
    int best, winner; /* the card that is winning, or -1, and whose it is */
    int bids[MOST_SEATS], tricks[MOST_SEATS], left;
};

static bool beats(int one, int other) {
    return suit_of(one) == suit_of(other) ? one > other : suit_of(one) == SPADES;
}

static void read_table(const char *view, struct table *table) {
    int hand[HAND];
    table->count = 0;
    table->best = table->winner = -1;
    for (const char *at = first_element(find(view, "trick")); *at == '{'; at = next_element(at)) {
        int played = card(find(at, "card")), by = number(find(at, "seat"), 0);
        if (table->count == MOST_SEATS) break;
        table->trick[table->count] = played;
        table->who[table->count++] = by;
        if (table->best < 0 || beats(played, table->best)) {
            table->best = played;
            table->winner = by;
        }
    }
    for (int who = 0; who < seats; who++) {
        table->bids[who] = number(element(find(view, "bids"), who), 1);
        table->tricks[who] = number(element(find(view, "tricks"), who), 0);
    }
    table->left = read_cards(find(view, "hand"), hand);
}

static bool has_nil(const struct table *table, int who) {
    return table->bids[who] == 0 && table->tricks[who] == 0;
}

/* Count the tricks a side still needs. */
static int needs(const struct table *table, int side) {
    int needed = 0;
    for (int who = side; who < seats; who += 2)
        if (table->bids[who] || nil_helps) needed += table->bids[who] - table->tricks[who];
    return needed;
}

/* Win tricks to make the bid, and to set the others where one more does it. */
static bool wants(const struct table *table) {
    int theirs = needs(table, 1 - seat % 2);
    return needs(table, seat % 2) > 0 || bag_limit == 0 || (theirs > 0 && theirs == table->left);
}

static int lead(const struct table *table, const int *legal, int count) {
    int least = legal[0], high = -1;
    bool partner_nil = seats == 4 && has_nil(table, (seat + 2) % 4);
    for (int i = 0; i < count; i++) {
        if (power(legal[i]) < power(least)) least = legal[i];
        if (rank_of(legal[i]) != ACE) continue;
        if (high < 0 || power(legal[i]) < power(high)) high = legal[i];
    }
    if (has_nil(table, seat)) return least;
    if (partner_nil && high < 0)
        for (int i = 0; i < count; i++)
            if (high < 0 || rank_of(legal[i]) > rank_of(high)) high = legal[i];
    return high >= 0 && (partner_nil || wants(table)) ? high : least;
}

static int follow(const struct table *table, const int *legal, int count) {
    int cheapest = -1, dearest = -1, over = -1, under = -1, partner = (seat + 2) % 4;
    bool is_last = table->count == seats - 1;
    bool partner_wins = seats == 4 && table->winner == partner;
    bool partner_nil = seats == 4 && has_nil(table, partner);
    for (int i = 0; i < count; i++) {
        int one = legal[i];
        if (cheapest < 0 || power(one) < power(cheapest)) cheapest = one;
        if (dearest < 0 || power(one) > power(dearest)) dearest = one;
        if (beats(one, table->best)) over = over < 0 || power(one) < power(over) ? one : over;
        else if (under < 0 || power(one) > power(under)) under = one;
    }
    if (has_nil(table, seat) || (!partner_nil && !wants(table))) {
        if (under >= 0) return under;
        return is_last ? dearest : cheapest;
    }
    if (partner_nil && over >= 0 && (partner_wins || table->count < 2)) return over;
    if (over < 0 || partner_wins || !wants(table)) return cheapest;
    if (is_last || suit_of(over) != suit_of(table->trick[0])) return over;
    return rank_of(dearest) == ACE || table->count == 2 ? dearest : cheapest;
}

/* -- the protocol ---------------------------------------------------------------------------- */

static void put_card(int which) {
    printf("\"%c%c\"", RANK_NAMES[rank_of(which)], SUIT_NAMES[suit_of(which)]);
}

/* Give up the three highest cards after one's own double nil, the three lowest otherwise. */
static void put_three(const char *view, const char *legal) {
    int cards[HAND], count = read_cards(legal, cards);
    int from = is_double_nil(view, seat) ? count - 3 : 0;
    qsort(cards, (size_t)count, sizeof *cards, by_power);
    for (int i = from; i < from + 3; i++) {
        putchar(i == from ? '[' : ',');
        put_card(cards[i]);
    }
    putchar(']');
}

static void put_play(const char *view, const char *legal) {
    int cards[HAND], count = read_cards(legal, cards);
    struct table table;
    read_table(view, &table);
    put_card(table.count ? follow(&table, cards, count) : lead(&table, cards, count));
}

static void answer(const char *request) {
    const char *decision = find(request, "decision"), *view = find(request, "view");
    const char *legal = find(request, "legal");
    printf("{\"id\":%d,\"move\":", number(find(request, "id"), 0));
    if (is_string(decision, "blind_nil")) fputs(choose_blind_nil(view) ? "true" : "false", stdout);
    else if (is_string(decision, "draft")) fputs(choose_draft(view) ? "true" : "false", stdout);
    else if (is_string(decision, "bid")) printf("%d", choose_bid(view, legal));
    else if (is_string(decision, "play")) put_play(view, legal);
    else put_three(view, legal); /* an exchange or a pass */
    puts("}");
    fflush(stdout);
}

static void remember(const char *hello) {
    const char *rules = find(hello, "rules");
    seat = number(find(hello, "seat"), 0);
    seats = number(find(hello, "seats"), 2);
    bag_limit = number(find(rules, "bag_limit"), 10);
    nil_helps = is_string(find(rules, "failed_nil"), "help");
    puts("{\"type\":\"ready\"}");
    fflush(stdout);
}

int main(void) {
    static char line[1 << 17]; /* twice what a line may have */
    while (fgets(line, sizeof line, stdin)) {
        const char *message = skip_space(line), *type = find(message, "type");
        if (is_string(type, "hello")) remember(message);
        else if (is_string(type, "request")) answer(message);
        else if (is_string(type, "end")) break;
    }
    return 0;
}
