"""Requests and what a person once said that bears on them without being asked for. Writes requests.jsonl.gz into a folder.

    python models/build/train/requests.py DATA

A topic has facts (a taste, a limit, a habit, a wish how to be answered) and requests; each fact bears on each request of its topic. Facts of
other topics are the negatives, unless the topics are kin. `kept` topics are for testing.
"""

import gzip
import json
import os
import random
import sys

TOPICS = {}


def topic(name, facts, requests, kin=''):
    lines = lambda text: [line.strip() for line in text.strip().splitlines()]
    TOPICS[name] = (lines(facts), lines(requests), kin.split())


topic('diet', """
    I don't eat meat.
    I'm allergic to shellfish, even traces are dangerous.
    I can't digest lactose.
    I follow a low-salt diet because of my blood pressure.
    I can't stand coriander in anything.
    I keep halal.
    I gave up sugar two years ago.
    I get sick from anything deep-fried.""", """
    What could I cook for six people on Saturday?
    Can you suggest a lunch I can prepare in the morning?
    Which dish should I order at a Thai place?
    Plan my dinners for next week.
    Give me an idea for a birthday cake.
    What is a good snack for a long hike?
    I have chicken, rice and cream in the fridge. What can I make?""", 'restaurants')
topic('restaurants', """
    I hate places with loud music while I'm eating.
    I only feel comfortable in small family-run places.
    I don't want to queue for a table, ever.
    Buffets put me off, I want to be served.
    I like to sit outside when I eat out.
    Spending more than twenty a head on dinner feels wrong to me.""", """
    Where should we have dinner in Lisbon?
    Can you recommend a place for our anniversary meal?
    What are the best known restaurants in the old town?
    Where can I take four colleagues for lunch?
    Which food spots in Osaka should I not miss?""", 'diet')
topic('trips', """
    I avoid places that are full of tourists.
    I never fly, it scares me to death.
    I get carsick on winding roads.
    I need a hotel with a lift because of my knee.
    Long museum visits bore me.
    I prefer slow trips, one place for a whole week.
    Heat above thirty degrees makes me ill.
    I'd rather sleep in a hostel than in a fancy hotel.""", """
    What should I see in Rome in three days?
    Plan a two-week holiday in Vietnam for me.
    Where could I go in August?
    How do I get from Berlin to Madrid?
    Which places should I visit on my first trip to Egypt?
    Can you put together an itinerary for the coast?
    Find me somewhere to stay in Vienna.""")
topic('exercise', """
    My left knee can't take jumping.
    I can't bear gyms, I have to be outside.
    I've only got fifteen minutes a day for sport.
    Team sports are the only thing that keeps me going.
    My doctor told me not to lift anything heavy.
    I dislike getting up early to train.""", """
    How can I get fitter this winter?
    Make me a workout plan.
    What sport should I take up?
    How do I lose five kilos?
    Which exercises are good for the back?
    Suggest a routine for building strength.""")
topic('reading', """
    I can't get into books of more than three hundred pages.
    Anything with gore in it gives me nightmares.
    I only enjoy stories that really happened.
    I gave up on fantasy years ago.
    I listen to books, I hardly ever read on paper.
    Romantic plots bore me.""", """
    What should I read next?
    Can you recommend a novel for the train?
    Which books about the sea are good?
    I need a present to myself from the bookshop, any ideas?
    What are the classics I should have read?""", 'films')
topic('films', """
    I can't sit through anything longer than two hours.
    Horror is not for me at all.
    I watch everything with subtitles, dubbing annoys me.
    I'm done with superhero stories.
    Black-and-white films are my favourite.
    We watch with our six-year-old.""", """
    What can we watch tonight?
    Recommend a series for the weekend.
    Which of this year's films are worth seeing?
    What's a good thriller?
    Any suggestions for a movie night?""", 'reading')
topic('music', """
    Heavy metal gives me a headache.
    I need music without words when I work.
    I love old jazz, anything before 1960.
    I dislike anything sung in falsetto.
    I play the cello, so strings always get me.""", """
    Make me a playlist for the office.
    What should I listen to on the drive?
    Which concerts could I go to this autumn?
    Who are some artists I might like?""")
topic('gadgets', """
    I won't buy anything from Apple.
    I can't stand big phones, they don't fit my hand.
    Battery life matters more to me than anything else.
    I only buy used electronics.
    I need a keyboard that makes no noise.
    I don't want any device with a microphone at home.""", """
    Which phone should I get?
    I'm looking for a new laptop, what do you suggest?
    What are good headphones?
    Help me set up a smart home.
    Which tablet is best for drawing?""")
topic('clothes', """
    Wool makes me itch.
    I never wear black.
    I don't buy leather, for the animals' sake.
    I need shoes with a wide toe box.
    I want clothes that need no ironing.""", """
    What should I wear to the wedding?
    Help me find a winter coat.
    Which shoes are good for walking all day?
    What goes with grey trousers?
    Suggest a wardrobe for a week in Oslo.""")
topic('study', """
    I learn best with pictures, text alone doesn't stick.
    I can't concentrate for longer than twenty minutes.
    I hate learning from videos.
    I need somebody to check on me or I don't study.
    Flashcards have never worked for me.
    I want to learn by making something.""", """
    How should I prepare for my statistics exam?
    Which course would you take to learn Python?
    What's the best way for me to learn Spanish?
    Help me plan my revision.
    How can I get better at chess?
    What are good resources on machine learning?""")
topic('work', """
    I can't work in an open office.
    I don't want to manage people again.
    I only take jobs I can do from home.
    I want to be free on Fridays.
    Selling things to strangers is torture for me.
    I'd like to work with animals one day.""", """
    What job would suit me?
    Should I apply for the team lead position?
    How do I find a new job?
    Which career could I change to at forty?
    Can you look over these three offers with me?""")
topic('money', """
    I never buy on credit.
    I don't put money in weapons or oil.
    I'm saving every cent for a house.
    I can't sleep when my savings go up and down.
    My pay changes from month to month.""", """
    How should I invest ten thousand?
    Help me make a budget.
    Is a lease for a car a good idea?
    What should I do with my bonus?
    Which account is right for me?""")
topic('home', """
    I rent, so I can't drill or paint.
    Our flat has just one north-facing window.
    I can't stand clutter, every surface has to be empty.
    We have two cats that chew on everything.
    I love bright colours in a room.
    Dust sets off my asthma.""", """
    How can I make the living room nicer?
    Which plants would do well at my place?
    What sofa should we buy?
    Give me ideas for the bedroom walls.
    How do I get more storage in the kitchen?
    Which carpet would you take?""", 'pets')
topic('pets', """
    My dog is afraid of other dogs.
    Our cat is on kidney food for the rest of her life.
    I'm away from home ten hours a day.
    My son is allergic to fur.
    We live on the fifth floor without a lift.""", """
    Which pet would fit us?
    How do I keep the dog busy?
    What should I feed him?
    Where can I leave the cat during the holidays?
    Is a puppy a good idea?""", 'home')
topic('presents', """
    My mother collects old teapots.
    We agreed not to give things, only time together.
    My nephew is mad about dinosaurs.
    My partner hates surprises.
    I never give gift cards, they feel cold to me.""", """
    What could I give for Christmas?
    I need a birthday present, any ideas?
    What do I bring to the party?
    Help me plan a surprise.""", 'parties')
topic('parties', """
    I don't drink alcohol.
    Crowds of more than ten people wear me out.
    I can't dance and I won't learn.
    I like to have everything planned weeks ahead.
    Fireworks frighten me.""", """
    How should I celebrate my fortieth?
    What can we do on New Year's Eve?
    Help me plan the reception.
    Which games are good for an evening with friends?""", 'presents')
topic('children', """
    We don't let the kids use screens.
    My daughter is shy with strangers.
    My son reads two years above his age.
    The twins can't eat nuts.
    We raise them in two languages.""", """
    What can I do with the children on a rainy day?
    Which school would be right?
    Suggest something for the holidays with the kids.
    How do I get my son to sleep?
    What should I pack for their lunch?""")
topic('health', """
    I take blood thinners.
    I can't swallow tablets.
    I faint when I see needles.
    I have been diabetic since I was twelve.
    I don't use painkillers unless there is no other way.
    I'm pregnant, due in spring.""", """
    What can I take for a headache?
    Which vaccinations do I need for Kenya?
    How do I get over this cold?
    What helps against back pain?
    Is this supplement all right for me?
    Can I go to the sauna?""", 'exercise diet')
topic('driving', """
    I don't have a licence.
    I don't drive after dark, my eyes are bad.
    My car is electric with a small battery.
    I get dizzy in tunnels.
    I go everywhere by bike.""", """
    What's the best way to get to the lake?
    How do I get to work in the new office?
    Plan a day out in the mountains.
    Which route should we take to Hamburg?
    How long will it take me to get to the airport?""", 'trips')
topic('games', """
    I only have an old laptop to play on.
    I don't play anything with shooting.
    Games that punish me for losing make me furious.
    I play together with my eight-year-old.
    I want a story, not points.""", """
    Which game should I buy?
    What can I play on a long flight?
    Recommend something for the weekend on the console.
    What's fun for two players?""")
topic('news', """
    I don't want anything about crime.
    I only follow local politics.
    I want the sober version, no drama.
    Sport doesn't interest me.""", """
    What happened this week?
    Give me a morning briefing.
    Which newspapers should I subscribe to?
    Recommend a podcast on current affairs.""")
topic('garden', """
    My garden gets no sun after noon.
    I never use poison on pests.
    I forget to water things.
    The soil here is pure sand.
    I want to eat what I plant.""", """
    What should I plant in spring?
    How do I get rid of slugs?
    Which trees would grow at our place?
    Help me lay out a bed.""")
topic('writing', """
    I want short sentences in everything you write for me.
    Never use exclamation marks in my letters.
    I write British English.
    I sign with my middle name, Rowan.
    I don't like flattery in letters.""", """
    Draft a letter to my landlord.
    Write a thank-you note to my team.
    Help me with my cover letter.
    Make this paragraph better.
    Write a post about our bake sale.""")
topic('code', """
    I indent with tabs.
    I want types on every function.
    We are stuck on Python 3.8 at work.
    I avoid dependencies wherever I can.
    Always show me the tests along with the code.
    I prefer loops to clever one-liners.""", """
    Write a function that parses a log file.
    How do I read a CSV with two header rows?
    Refactor this class for me.
    What's the best way to call this API?
    Can you review my script?
    How would you implement a cache?""")
topic('numbers', """
    Give me distances in miles.
    I want prices in Swiss francs.
    Always show how you got to a result.
    I need figures rounded to whole numbers.
    Use the 24-hour clock with me.""", """
    How far is it from here to the sea?
    What would the flat cost a month?
    How much is fifteen percent of the bill?
    When does the last train leave?
    Compare the two offers for me.""")
topic('explaining', """
    Start with an example whenever you explain something.
    Leave out the history, I only want to know how it works.
    I'm colour-blind, so don't refer to colours in charts.
    I know the basics of physics, don't begin at zero.
    Always name your sources.""", """
    Explain how a heat pump works.
    What is inflation?
    Can you tell me how vaccines work?
    How does a transformer model learn?
    Why is the sky dark at night?
    What's the difference between a virus and a bacterium?""")
topic('planning', """
    I never take appointments before ten.
    Wednesdays belong to my daughter.
    I need a break every ninety minutes.
    I plan on paper, apps don't work for me.
    I'm useless after lunch.""", """
    When should I schedule the workshop?
    Help me organise my week.
    How can I get more done?
    Can you find a slot for the dentist?
    Plan the day before the exam.""", 'study')
topic('meeting people', """
    I'm painfully shy on the phone.
    I don't want to use dating apps.
    I just moved here and know nobody.
    I can't remember names.
    I'd rather talk to one person than to a group.""", """
    How do I make friends in this city?
    How should I call the agency?
    Where could I meet someone?
    Give me tips for the conference.
    How do I start a conversation with my new neighbours?""", 'parties')
topic('beauty', """
    Perfume gives me migraines.
    My skin reacts to everything with alcohol in it.
    I don't buy what was tested on animals.
    I want to be done in five minutes in the morning.
    I let my hair go grey on purpose.""", """
    Which cream should I use in winter?
    What can I do about dry skin?
    Suggest a haircut.
    What do I need for a simple routine?
    Which sunscreen is good?""")
topic('environment', """
    I don't want any plastic packaging.
    I buy only what was made within a hundred kilometres.
    I try not to use the dryer.
    I'd pay more for repairable things.""", """
    Which washing machine should we buy?
    Where do I get groceries around here?
    What's a good backpack?
    Help me choose toys for my niece.
    Which detergent do you recommend?""", 'home gadgets presents children diet clothes')

KEPT = ('games', 'garden', 'beauty', 'news')

WRAPPED = ['{}'] * 6 + [
    'By the way, {}',
    'Just so you know: {}',
    'You should know this about me. {}',
    '{} I thought I would mention it.',
    'Something else: {}',
    '{} That has been so for years.',
    'Please remember: {}',
]
ASKED = ['{}'] * 5 + ['Hi! {}', '{} Thanks!', 'Quick question. {}', '{} I have no idea where to begin.']

# Messages that nothing personal bears on.
PLAIN = """
    What is the capital of Mongolia?
    How many bytes are in a kilobyte?
    Translate "good evening" into Swedish.
    Who wrote Don Quixote?
    What year did the Titanic sink?
    Convert 70 Fahrenheit to Celsius.
    What does the word "lapidary" mean?
    How do you spell necessary?
    What is the boiling point of ethanol?
    List the planets in order.
    Fix the comma in this sentence: However I went home.
    What is 17 times 23?
    Which element has the symbol Sb?
    How tall is Kilimanjaro?
    When was the printing press invented?
    Thanks, that was all.
    Good morning!
    That makes sense.
    What is the plural of ox?
    Who is the president of Chile?"""


def rows(rng, split):
    seen = [name for name in TOPICS if split == 'test' or name not in KEPT]
    everything = [(name, fact) for name in seen for fact in TOPICS[name][0]]
    wrap = lambda fact: rng.choice(WRAPPED).format(fact)
    for name, (facts, requests, kin) in TOPICS.items():
        if (name in KEPT) != (split == 'test'):
            continue
        strangers = [fact for other, fact in everything if other != name and other not in kin and name not in TOPICS[other][2]]
        for request in requests:
            for fact in facts:
                negatives = [wrap(text) for text in rng.sample(strangers, 8)]
                yield {'q': rng.choice(ASKED).format(request), 'pos': [wrap(fact)], 'neg': negatives, 'split': split, 'lang': 'en', 'topic': name}
    if split == 'train':
        for plain in [line.strip() for line in PLAIN.strip().splitlines()] * 3:
            negatives = [wrap(text) for _, text in rng.sample(everything, 8)]
            yield {'q': plain, 'pos': [], 'neg': negatives, 'split': split, 'lang': 'en', 'topic': 'none'}


if __name__ == '__main__':
    rng = random.Random(5)
    with gzip.open(os.path.join(sys.argv[1], 'requests.jsonl.gz'), 'wt') as file:
        for split in ('train', 'test'):
            for row in rows(rng, split):
                file.write(json.dumps(row) + '\n')
