"""Deal the hands of a match again, and compare: `python fair.py match.jsonl`. fairness.md explains it."""

import hashlib, json, sys


def numbers(seed, salt, hand):
    for k in range(2**32):
        block = hashlib.sha256(seed + salt.encode() + hand.to_bytes(4, "big") + k.to_bytes(4, "big")).digest()
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))


def shuffled(stream):
    cards = [f"{rank}{color}" for rank in range(1, 11) for color in "GGYYRR"]
    cards[6:6] = ["1M"]
    cards += ["PG", "PY", "DR"]
    for i in range(63, 0, -1):
        x = next(x for x in stream if x < 2**32 // (i + 1) * (i + 1))
        cards[i], cards[x % (i + 1)] = cards[x % (i + 1)], cards[i]
    return cards


def check(lines):
    match, seed, salt = lines[0], bytes.fromhex(lines[-1].get("seed", "")), lines[0]["salt"]
    if not seed:
        sys.exit("the last line reveals no seed: the match is not over, or the record is cut off")
    if hashlib.sha256(seed).hexdigest() != match["commitment"]:
        sys.exit("the seed is not the one that was committed to")
    message, *cuts = salt.split("-")
    if len(cuts) == len(match["seats"]):
        print(f"commitment {match['commitment']}, message {message}, cuts {' '.join(cuts)}")
    deals, ended = [[line for line in lines if line["t"] == kind] for kind in ("deal", "hand_end")]
    for hand, line in enumerate(deals, 1):
        if line["hand"] != hand:
            sys.exit(f"hand {hand} is missing: hand {line['hand']} follows")
        stream = numbers(seed, salt, hand)
        cards = shuffled(stream)
        fair = [sorted(cards[at : at + 16]) for at in (0, 16, 32, 48)]
        cut = [cards[next(stream) % 64] for _ in line.get("cut", [])]
        if [sorted(dealt) for dealt in line["hands"] + [line["dummy"]] if dealt] != fair or cut != line.get("cut", []):
            sys.exit(f"hand {hand} was not dealt from the seed")
        print(f"hand {hand} was dealt from the seed")
    if len(deals) < max(1, len(ended)):
        sys.exit(f"hand {len(deals) + 1} is missing")


try:
    with open(sys.argv[1], encoding="utf-8", newline="\n") as file:
        check([json.loads(line) for line in file])
except Exception as error:
    sys.exit(f"this is not the record of a match: {error!r}")
