"""Pairs on what people let slip: premise = a passing remark or a change, hypothesis = a belief. Writes hints.jsonl.gz into a folder.

    python models/build/train/hints.py DATA

A subject holds one value at a time (`one`) or many. A remark that shows a habit entails the statement of its value; where only one value can
hold, it contradicts the others. A single sighting, a plan, a loan or another person's habit does neither. `kept` subjects are for testing.
"""

import gzip
import json
import os
import random
import sys
from collections import namedtuple

Subject = namedtuple('Subject', 'name one values states habits passing changes')


def subject(name, values, states, habits, passing, changes=(), one=True):
    lines = lambda text: [line.strip() for line in text.strip().splitlines()]
    return Subject(name, one, values.split(', '), lines(states), lines(habits), lines(passing), lines(changes) if changes else [])


# Changes that fit most things one uses; {v} is new, {w} old.
SWAPS = """I switched from {w} to {v}.
No more {w}, I'm on {v} now.
I replaced {w} with {v}.
I've given up {w}, it's {v} from here on."""

SUBJECTS = [
    subject('breakfast', 'porridge, scrambled eggs, muesli, toast with jam, pancakes, a smoothie, yoghurt with berries, congee', """
        I have {v} for breakfast.
        My breakfast is {v}.
        {v} is what I eat in the morning.""", """
        Same as ever, {v} before work.
        I was stirring my {v} when the phone rang this morning.
        Ran out of what I need for {v}, breakfast was late today.
        {v} for the fifth morning in a row.
        I've been making {v} on weekdays lately.
        Nothing wakes me up like {v}.
        Getting quite good at making {v} before the kids are up.""", """
        The hotel served {v} on our last morning.
        My grandmother swears by {v}.
        A magazine had a picture of {v}.
        I burned {v} once as a child.
        Somebody at work brought {v} in.""", SWAPS),
    subject('hot drink', 'espresso, chamomile tea, cocoa, matcha, earl grey, chicory coffee, rooibos, a flat white, ginger tea', """
        I drink {v} after getting up.
        My first drink of the day is {v}.
        I need {v} to get going in the morning.
        {v} is my drink at breakfast.""", """
        My usual {v} tasted great today.
        {v} again when I woke up, as most days now.
        I refilled the tin of {v}, it empties fast on weekday mornings.
        I find myself making {v} first thing these days.
        I'll have my {v}, like every morning.
        Stocked up on {v} so that I don't run out before work.
        {v} at sunrise agrees with me.""", """
        My guest asked for {v}.
        They were giving out samples of {v} at the station.
        I spilled a colleague's {v}.
        There is a song about {v}.
        I read that {v} was invented long ago.""", SWAPS),
    subject('cereal milk', 'goat milk, skimmed milk, rice milk, hemp milk, coconut milk, cashew milk, lactose-free milk', """
        The milk I use is {v}.
        I put {v} in everything.
        At home we only have {v}.""", """
        Picked up more {v}, the carton was empty.
        My oatmeal was nice with {v}.
        I've started reaching for {v} at the store.
        There's always an open carton of {v} in my kitchen.
        The {v} went down well with my cornflakes again.""", """
        The café had run out of {v}.
        My niece can't stand {v}.
        An advert for {v} came on.
        They put {v} in the soup at the restaurant.""", SWAPS),
    subject('computer', 'a MacBook, a Dell XPS, an iMac, a Lenovo Yoga, an Acer, a gaming tower, an Asus Zenbook, a Linux desktop', """
        I use {v}.
        My computer is {v}.
        {v} is what I work with.
        I do everything on {v}.""", """
        Writing this from {v}, the battery is nearly flat.
        {v} crashed while I was finishing my report.
        I took {v} along to the meeting again.
        All my files are on {v} by now.
        I spent the whole week working from {v}.
        The fan of {v} is so loud when I compile.
        I'm getting used to the keyboard of {v}.""", """
        My cousin bought {v}.
        The shop window had {v} in it.
        I used {v} once in an internet café.
        I had to repair {v} for a neighbour.
        The teacher showed slides from {v}.
        I lent a hand setting up {v} for an aunt.""", """
        {w} died, so I work on {v} now.
        I gave {w} to my sister and use {v} now.
        I traded {w} in for {v}.
        """ + SWAPS),
    subject('phone', 'a Nokia, a Sony Xperia, a Motorola, a Huawei, an iPhone, a Galaxy, a Fairphone', """
        My phone is {v}.
        I have {v} as my phone.
        The phone I carry is {v}.""", """
        Dropped {v} in the sink, luckily it still rings.
        Had to charge {v} twice today with all my calls.
        My contacts are all on {v}.
        Snapped the sunset with {v} on my way home.
        I keep {v} by the bed for my alarm.""", """
        Someone left {v} on the train.
        My boss showed me photos on {v}.
        I tried {v} at the airport shop.
        My nephew wants {v} for his birthday.""", SWAPS),
    subject('camera gear', 'a Pentax, a GoPro, a Polaroid, a Hasselblad, a Lumix, an Olympus', """
        I take my pictures with {v}.
        My camera is {v}.
        I photograph with {v}.""", """
        Packed {v} for another day of shooting.
        The strap of {v} broke on my photo walk.
        Got lovely portraits out of {v} this weekend, like last week.
        I put a new memory card into {v} before my shoot.
        I keep {v} in my bag wherever I go now.""", """
        The reporter carried {v}.
        My uncle collects old cameras and has {v}.
        {v} was sold at the auction.
        A tourist asked me to take a picture with {v}.""", SWAPS),
    subject('car', 'a Skoda, a Toyota, a Peugeot, a Fiat, a Volvo, a Kia, an old van', """
        I drive {v}.
        My car is {v}.
        I get around in {v}.""", """
        Filled up {v} before the drive home.
        {v} wouldn't start this morning, so I was late for work.
        My {v} needs new tyres before winter.
        Took {v} through the car wash as I do on Saturdays.
        My kids left crumbs all over the seats of {v}.""".replace('My {v}', 'My car, {v},'), """
        I rented {v} on holiday.
        {v} blocked our driveway.
        My boss was fined in {v}.
        A friend gave me a lift in {v}.""", """
        I sold {w} and drive {v} now.
        """ + SWAPS),
    subject('commute', 'the tram, my bicycle, the ferry, the bus, the underground, a scooter', """
        I go to work by {v}.
        I commute with {v}.
        {v} takes me to work.""".replace('by my bicycle', 'by bicycle'), """
        {v} was late again on my way to the office.
        Met a colleague while riding {v} to work today.
        Got soaked on {v} before my shift, as so often.
        I finished another book on {v} this week, coming home from work.
        Two weeks of getting to work with {v}, it's quicker than I thought.""", """
        A documentary about {v} was on.
        My children like looking at {v}.
        {v} was invented in the nineteenth century.
        There's a strike, it hits {v} too.""", SWAPS),
    subject('sport', 'judo, climbing, badminton, fencing, handball, pilates, spinning, kayaking, tai chi', """
        I do {v}.
        My sport is {v}.
        I stay in shape with {v}.
        {v} keeps me healthy.""", """
        Sore all over from {v} again.
        {v} was tough tonight, but I slept like a baby.
        Signed up for ten more evenings of {v}.
        Third time at {v} this month.
        My coach in {v} says I'm improving.
        Washed my kit after {v}, same as every week.
        I look forward to {v} more and more.""", """
        They were showing {v} in the pub.
        The neighbours' daughter does {v}.
        I read an article on {v}.
        A friend invited me to watch {v}.
        {v} was on the school timetable when I was ten.""", """
        I quit {w} and do {v} now.
        {w} hurt my back, so {v} it is.
        """ + SWAPS),
    subject('training day', 'Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday', """
        I work out on {v}s.
        {v} is my training day.
        I go to the gym every {v}.
        I exercise on {v}s.""", """
        Tired legs, as always after my workout on {v}.
        Was at the gym on {v}, it was pleasantly empty.
        Couldn't make dinner on {v} because I had training.
        Another good {v} workout.
        My sports bag stood ready for {v} again.
        I've been lifting weights on {v}s lately.""", """
        The gym closes early this {v} for repairs.
        My parents visit on {v}.
        The parcel arrives on {v}.
        My wife trains on {v}s.
        It rained all {v}.""", """
        I moved my workouts from {w} to {v}.
        {w} no longer suits me, I train on {v} now."""),
    subject('cleaning day', 'Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday', """
        I clean the flat on {v}s.
        {v} is the day I do the housework.""", """
        Vacuumed everything on {v}, like last week.
        The place always smells of soap on {v} nights after I've mopped.
        Got the dusting done on {v} again.""", """
        The cleaners come to our office on {v}.
        My mother phones on {v}.
        There's a market on {v}.""", """
        I moved the housework from {w} to {v}."""),
    subject('bedtime', 'nine, half past nine, half past ten, midnight, half past eleven, two in the morning', """
        I go to sleep at {v}.
        I'm in bed by {v}.
        {v} is when I turn the lights out.""", """
        Nodded off at {v} with my book again.
        Switched off my lamp at {v}, like most nights now.
        I brushed my teeth and was under the covers by {v}, as usual.
        {v} suits me for going to sleep.
        By {v} my eyes close, every night this week.""", """
        The film ended at {v}.
        The neighbours were loud until {v}.
        My son went to bed at {v}.
        The last train leaves at {v}.
        I have never stayed awake until {v}.""", """
        I've moved my bedtime from {w} to {v}.
        I no longer go to bed at {w} but at {v}."""),
    subject('waking', 'five, half past five, six, half past six, seven, eight', """
        I get up at {v}.
        My alarm goes off at {v}.
        My day begins at {v}.""", """
        Out of bed at {v} once more.
        The sun was just up when I got up at {v}, as on all weekdays.
        Up at {v} again and out for a walk.
        {v} feels right for getting up lately.""", """
        The shop opens at {v}.
        The baby next door cried at {v}.
        My flight lands at {v}.""", """
        I get up at {v} now instead of {w}."""),
    subject('home', 'Leeds, Turin, Graz, Porto, Gdansk, Bergen, Malmo, Nantes, Bilbao', """
        I live in {v}.
        My flat is in {v}.
        {v} is where I live.""", """
        My landlord in {v} is putting the rent up.
        Unpacked the last boxes in my flat in {v}.
        Paid my electricity bill for the place in {v}.
        The stairs to my flat in {v} are killing me.
        My neighbours here in {v} throw nice parties.""", """
        I spent a weekend in {v}.
        My pen friend lives in {v}.
        The train stops in {v}.
        {v} won the cup.
        I was born in {v}.""", """
        I moved from {w} to {v}.
        We left {w}, our home is {v} now."""),
    subject('workplace', 'Leeds, Turin, Graz, Porto, Gdansk, Bergen, Malmo, Nantes, Bilbao', """
        I work in {v}.
        My desk is in the {v} branch.
        My workplace is in {v}.""", """
        The lift at work in {v} is stuck.
        Another late evening at my desk in {v}.
        We had cake at our {v} branch today.
        My boss in {v} liked the report.
        The heating in our {v} rooms at work failed again.""", """
        A customer called from {v}.
        I changed trains in {v}.
        My brother studies in {v}.
        They are building a bridge in {v}.""", """
        Our {w} branch closed, I'm in {v} now.
        They moved me from the {w} branch to {v}."""),
    subject('job', 'a plumber, a florist, a paramedic, a translator, a vet, a baker, a teacher, an architect, a bus driver', """
        I work as {v}.
        I am {v}.
        My job is being {v}.""", """
        Long shift today, being {v} is hard on the knees.
        My colleagues and I, each of us {v}, went on strike.
        Sixth year as {v} and still learning.""", """
        My sister is {v}.
        We had to call {v} last night.
        As a child I wanted to be {v}.
        The man beside me was {v}.""", """
        I quit as {w} and became {v}.
        I'm no longer {w}, I work as {v} now.
        I left my job as {w}; these days I earn my living as {v}.
        I retrained and am {v} instead of {w}."""),
    subject('housemate', 'Olga, Ravi, Chen, Fatima, Luca, Ingrid, Kwame, Noor, Pavel', """
        I live with {v}.
        {v} and I share an apartment.
        My housemate is {v}.""", """
        {v} forgot to take our rubbish out again.
        {v} and I split the rent this morning.
        {v} used up the hot water before I got into our shower.
        {v}'s shoes are all over our hallway.
        {v} has been sleeping in our spare room for weeks.
        {v} put a second name on our letterbox.""", """
        I bumped into {v} in town.
        {v} wrote me a postcard.
        {v} sat next to me in class.
        I had lunch with {v}.
        {v} asked about you.""", """
        {w} moved out and {v} moved in with me.
        I don't live with {w} any more but with {v}."""),
    subject("kid's school", 'Oakwood, Riverside, Northgate, Hillcrest, Park Lane, Fairview, Elmhurst', """
        My son goes to {v}.
        My son's school is {v}.
        I take my son to {v} every day.""", """
        My son came home from {v} with a drawing.
        The teachers at {v} are happy with my son.
        Packed my son's lunch box for {v}.
        My son has a test at {v} tomorrow.
        I sat through the concert at {v}, my son played the drum.""", """
        {v} was in the newspaper.
        A friend teaches at {v}.
        We drove past {v}.
        There was a fire alarm at {v}, said the radio.""", """
        My son changed from {w} to {v}.
        We took my son out of {w}, he is at {v} now."""),
    subject('reading', 'thrillers, essays, memoirs, comics, westerns, horror stories, historical novels, plays, travel writing', """
        I like reading {v}.
        Mostly I read {v}.
        My bookshelves are full of {v}.""", """
        Got through three {v} on holiday.
        Ordered another pile of {v}.
        {v} on the sofa, that was my whole evening again.
        Stayed up too late with {v} once more.
        I keep borrowing {v} from the library these days.""", """
        My aunt writes {v}.
        The bookshop has a new shelf for {v}.
        Somebody gave me {v} for my birthday.
        We talked about {v} in class.""", SWAPS),
    subject('savings', 'a pension fund, government paper, silver, shares, a building society, a fixed deposit, farmland', """
        My savings are in {v}.
        I put my money into {v}.
        I have invested in {v}.""", """
        Moved another hundred into {v}, as every month.
        {v} did well for me this year.
        Checked on my {v}, all is fine.
        Topped up my {v} again.
        I feel safer with {v} than I thought, so I added some.""".replace('my {v}', 'what I have in {v}').replace('My {v}', 'What I have in {v}'), """
        My neighbour lost a lot with {v}.
        The news was all about {v}.
        A man tried to sell me {v}.
        I wonder how {v} works.""", """
        I took everything out of {w} and put it into {v}.
        I cashed in {w}; it's all in {v} now."""),
    subject('goal', 'a triathlon, a bike tour, a rowing regatta, a mountain crossing, a swim across the lake, a relay race', """
        I am preparing for {v}.
        My goal this year is {v}.
        I want to finish {v}.""", """
        Week six of my plan for {v} is done.
        My legs are getting ready for {v}.
        Bought new gear for {v}, I feel prepared.
        My plan for {v} has me up early again.""", """
        {v} was on television.
        My colleague finished {v}.
        They closed the road because of {v}.
        I watched {v} from the balcony.""", """
        I gave up on {w} and aim for {v} now.
        Instead of {w} I'm preparing for {v}.
        My knee rules out {w}, so the goal is {v}."""),
    subject('answer form', 'a numbered list, short sentences, a summary first, long explanations, plain words, a story, code only', """
        I want answers as {v}.
        Please answer with {v}.
        I like it when you reply with {v}.""", """
        Perfect, {v} again, thank you.
        {v} works best for me.
        Good that you stick to {v}.
        This time too, {v} helped me a lot.""", """
        My teacher asked for {v}.
        The manual is written as {v}.
        What is {v} good for?""", """
        From now on {v}, please, not {w}.
        I no longer want {w} in your answers; give me {v}.
        Drop {w} and write {v} instead."""),
    subject('doctor', 'Dr. Weiss, Dr. Okafor, Dr. Lindqvist, Dr. Moreau, Dr. Tanaka, Dr. Bianchi', """
        My doctor is {v}.
        I am a patient of {v}.
        I see {v} when I'm ill.""", """
        {v} wrote me another prescription.
        Sat in the waiting room of {v} all morning for my check-up.
        {v} says my blood pressure is fine now.
        My next appointment with {v} is in May.""", """
        {v} gave a talk on the radio.
        My neighbour works for {v}.
        I read an article by {v}.
        {v} bought the house next door.""", """
        I left {w} and see {v} now.
        {w} retired, {v} is my doctor now."""),
    subject('team', 'the Rovers, the Tigers, City, United, the Sharks, the Eagles', """
        I support {v}.
        My team is {v}.
        I'm a fan of {v}.""", """
        Lost my voice cheering for {v} again.
        Renewed my season ticket for {v}.
        {v} won and I danced in the kitchen.
        Wore my scarf of {v} to the match, like every week.""", """
        {v} play on Saturday, says the paper.
        My boss plays golf with a coach of {v}.
        A bus full of fans of {v} passed by.
        {v} built a new stadium.""", """
        I used to cheer for {w}, these days it's {v}.
        I'm done with {w}, {v} is my team now."""),
    subject('shop', 'the farmers\' market, Green Grocer, the corner shop, Fresh & Co, the co-op, Harper\'s', """
        I buy my groceries at {v}.
        I do my shopping at {v}.
        {v} is where I get my food.""", """
        Carried two full bags home from {v} again.
        {v} was out of eggs, so no cake for my guests this time.
        They know me by name at {v} by now.
        My weekly shop at {v} cost more than usual.""", """
        {v} is looking for staff.
        There was a fire at {v}.
        I parked in front of {v}.
        My aunt used to own {v}.""", SWAPS),
    subject('flat partner', 'my sister, my grandmother, two students, my boyfriend, a retired teacher, my cousin', """
        I live with {v}.
        I share my home with {v}.
        {v} and I live together.""", """
        At home {v} and I argued about whose turn it is to cook.
        {v} left the bathroom light on in our flat again.
        {v} and I hung new curtains in our living room.
        Made tea for {v} and me in our kitchen, as every evening.
        {v} gets post at my address now.""", """
        I met {v} for lunch.
        {v} sent me a card.
        {v} was on the same train.
        I showed {v} my photos.""", """
        {w} moved out, now {v} lives with me.
        I don't live with {w} any more but with {v}."""),
    subject('lunch', 'a sandwich, leftovers, a salad, soup, sushi, the canteen menu, a wrap', """
        I have {v} for lunch.
        My lunch is {v}.
        At midday I eat {v}.""", """
        {v} at my desk at noon, as always.
        Packed {v} for my lunch break again.
        I've been having {v} at midday all week.
        My colleagues tease me because it's {v} every lunch.""", """
        They handed out {v} at the fair.
        {v} was on offer at the bakery.
        The dog stole {v} from the picnic.
        A recipe for {v} was in the magazine.""", SWAPS),
    subject('course', 'law, biology, history, design, economics, medicine, philosophy', """
        I study {v}.
        I'm a student of {v}.
        My subject at university is {v}.""", """
        Crammed {v} all night for my exam.
        My professor of {v} liked my essay.
        Two more terms of {v} and I have my degree.
        Handed in my thesis draft in {v}.""", """
        My brother teaches {v}.
        There's a museum of {v}.
        A podcast about {v} was recommended to me.
        The library moved its books on {v}.""", """
        I dropped {w} and study {v} now.
        I changed my subject from {w} to {v}."""),
    subject('browser', 'Opera, Vivaldi, Brave, Edge, Safari, Chrome', """
        I browse with {v}.
        My browser is {v}.""", """
        Forty tabs open in {v} again.
        {v} updated itself while I was reading.
        My bookmarks are all in {v} now.""", """
        A website told me to install {v}.
        The school computers run {v}.
        I read about a bug in {v}.""", SWAPS),
    subject('music service', 'Deezer, Tidal, Qobuz, Bandcamp, vinyl, the radio', """
        I listen to music on {v}.
        {v} is how I hear music.""", """
        Cooked dinner with {v} playing, as always.
        Found a new band through {v} again.
        I've had {v} on all week.""", """
        An advert for {v} was on the bus.
        My son-in-law works for {v}.
        The bar had {v} running.""", SWAPS),
    subject('dog', 'a beagle, a poodle, a corgi, a terrier, a greyhound, a dachshund', """
        My dog is {v}.
        I have {v}.""", """
        Took {v} out before breakfast, my dog needs the walk.
        {v} chewed up my slippers again.
        The vet says {v} should lose weight, so I bought diet food.""", """
        {v} barked at me in the park.
        My friend breeds dogs and has {v}.
        There was {v} in the film.""", (), True),
    subject('instrument', 'the cello, the oboe, the drums, the banjo, the accordion, the trumpet', """
        I play {v}.
        My instrument is {v}.""", """
        Practised {v} for an hour, my fingers hurt.
        My lesson on {v} went well.
        The neighbours complained about me and {v} again.""", """
        I heard {v} in the street.
        My father sold {v}.
        A museum shows {v}.""", """
        I stopped playing {w} and took up {v}."""),
    subject('languages', 'German, French, Polish, Arabic, Korean, Swedish, Portuguese, Hindi', """
        I speak {v}.
        I know {v}.
        I can hold a conversation in {v}.""", """
        Chatted with my aunt in {v} all evening.
        I dreamed in {v} last night.
        Did my tax form in {v} without help.""", """
        The film was in {v}.
        My boss is learning {v}.
        The sign was written in {v}.""", (), False),
    subject('likes', 'swimming, opera, chess, gardening, baking, hiking, card games, stargazing, knitting', """
        I like {v}.
        I enjoy {v}.
        {v} makes me happy.""", """
        Had a wonderful afternoon of {v}.
        Could do {v} all day.
        {v} again tonight, my favourite part of the week.""", """
        The town has a club for {v}.
        My grandfather was into {v}.
        I read a leaflet about {v}.""", (), False),
    subject('friends', 'Olga, Ravi, Chen, Fatima, Luca, Ingrid, Kwame, Noor, Pavel', """
        {v} is a friend of mine.
        I am friends with {v}.""", """
        {v} and I laughed till we cried.
        Called {v} to tell the news, as I always do.
        {v} came over for cards, like most Fridays.""", """
        {v} is the name of my dentist.
        A letter for {v} came to my address by mistake.
        {v} stepped on my foot.""", (), False),
    subject('dishes', 'lentil curry, moussaka, gnocchi, fish stew, pad thai, goulash, risotto, falafel', """
        I love {v}.
        I'm fond of {v}.
        {v} is among the things I like to cook.""", """
        Cooked a huge pot of {v} and finished it alone.
        {v} for dinner, what a treat, I make it all the time.
        I licked the plate clean, the {v} was that good.""", """
        The canteen served {v}.
        {v} was on the menu.
        My flatmate burned {v}.""", (), False),
    subject('children', 'a son named Ben, a daughter named Mia, a daughter named Zoe, a son named Paul, a stepson named Finn', """
        I have {v}.
        I'm the parent of {v}.""", """
        Read a bedtime story to my child, {v}.
        Bought shoes for my little one, {v}.""", """
        My neighbour has {v}.
        The novel is about a man with {v}.""", (), False),
    subject('allergies', 'peanuts, pollen, latex, penicillin, cats, shellfish', """
        I am allergic to {v}.
        I have an allergy to {v}.""", """
        Sneezed and itched all day because of {v}.
        The doctor gave me tablets against my reaction to {v}.""", """
        My cousin is allergic to {v}.
        The label mentions {v}.""", (), False),
]
# Subjects near each other, whose statements must leave each other alone.
# ('housemate' and 'flat partner' are one.)
NEIGHBOURS = [
    ('breakfast', 'hot drink'), ('breakfast', 'cereal milk'), ('hot drink', 'cereal milk'), ('computer', 'phone'), ('phone', 'camera gear'), ('car', 'commute'),
    ('sport', 'training day'), ('sport', 'goal'), ('training day', 'cleaning day'), ('training day', 'goal'), ('bedtime', 'waking'), ('home', 'workplace'),
    ('workplace', 'job'), ('home', 'housemate'), ('housemate', 'friends'), ('reading', 'answer form'), ('reading', 'likes'), ('sport', 'likes'),
    ('dishes', 'breakfast'), ('browser', 'computer'), ("kid's school", 'children'), ('hot drink', 'dishes'), ('commute', 'workplace'), ('music service', 'instrument'),
    ('sport', 'team'), ('lunch', 'breakfast'), ('lunch', 'dishes'), ('lunch', 'hot drink'), ('shop', 'cereal milk'), ('flat partner', 'home'), ('flat partner', 'friends'),
    ('course', 'job'), ('course', 'reading'), ('doctor', 'allergies'), ('doctor', 'sport'), ('goal', 'bedtime'), ('waking', 'training day'), ('sport', 'bedtime'),
    ('phone', 'bedtime'), ('reading', 'bedtime'), ('goal', 'sport'), ('training day', 'sport'), ('training day', 'goal'), ('cleaning day', 'home'),
    ('dog', 'allergies'), ('languages', 'likes'), ('savings', 'job'), ('computer', 'camera gear'),
]
KEPT = {'phone', 'breakfast', 'music service', 'dishes', 'shop'}
OPENERS = ['', '', '', '', '', '', 'Hi! ', 'By the way, ', 'Well, ', 'So, ', 'Quick note: ', 'Ha, ']
CLOSERS = ['', '', '', '', '', '', '', ' Anyway.', ' What a day.', ' Just saying.', ' How are you?']


def fill(template, v, w=''):
    text = template.replace('{v}', v).replace('{w}', w)
    return text[0].upper() + text[1:]


def said(rng, text):
    opener = rng.choice(OPENERS)
    text = opener + (text[0].lower() + text[1:] if opener and not text.startswith(('I ', "I'")) and rng.random() < 0.7 else text) + rng.choice(CLOSERS)
    return text.lower() if rng.random() < 0.1 else text


def pairs(rng, s, named, size):
    """Each yields (premise, hypothesis, label, kind)."""
    near = [named[b if a == s.name else a] for a, b in NEIGHBOURS if s.name in (a, b)]
    apart = 'contradiction' if s.one else 'neutral'
    for _ in range(size):
        v, w, u = rng.sample(s.values, 3)
        state = lambda x: fill(rng.choice(s.states), x)
        habit = lambda x: fill(rng.choice(s.habits), x)
        kind = rng.choices(
            ['habit same', 'habit other', 'passing', 'state same', 'state other', 'change old', 'change new', 'near', 'far', 'back', 'habits', 'belief is habit'],
            [5, 5, 5, 1, 2, 2, 2, 8, 5, 2, 2, 2],
        )[0]
        if kind.startswith('change') and not s.changes:
            kind = 'near'
        if kind == 'near' and not near:
            kind = 'far'
        if kind == 'habit same':
            yield said(rng, habit(v)), state(v), 'entailment', kind
        elif kind == 'habit other':
            yield said(rng, habit(w)), state(v), apart, kind
        elif kind == 'passing':
            yield said(rng, fill(rng.choice(s.passing), rng.choice([v, w]))), rng.choice([state, state, habit])(v), 'neutral', kind
        elif kind == 'state same':
            yield said(rng, state(v)), state(v), 'entailment', kind
        elif kind == 'state other':
            yield said(rng, state(w)), state(v), apart, kind
        elif kind == 'change old':
            change = fill(rng.choice(s.changes), v, w)
            yield said(rng, change), rng.choice([state, state, habit])(rng.choice([w, w, u])), 'contradiction', kind
        elif kind == 'change new':
            yield said(rng, fill(rng.choice(s.changes), v, w)), rng.choice([state, state, habit])(v), 'entailment', kind
        elif kind in ('near', 'far'):
            other = rng.choice(near) if kind == 'near' else rng.choice([o for o in named.values() if o.values != s.values and {o.name, s.name} != {'housemate', 'flat partner'}])
            x = rng.choice(other.values)
            swap = [fill(rng.choice(s.changes), v, w)] if s.changes else []
            belief = fill(rng.choice(other.states + other.habits), x)
            if other is not s:
                yield said(rng, rng.choice([habit(v), state(v)] + swap)), belief, 'neutral', kind
        elif kind == 'back':
            yield state(w), habit(v), apart, kind
        elif kind == 'habits':
            first, second = rng.sample(s.habits, 2)
            yield said(rng, fill(first, v)), fill(second, v), 'entailment', kind
        else:
            first, second = rng.sample(s.habits, 2)
            yield said(rng, fill(first, w)), fill(second, v), apart, kind


def main(folder, size=700):
    rng = random.Random(5)
    named = {s.name: s for s in SUBJECTS}
    with gzip.open(os.path.join(folder, 'hints.jsonl.gz'), 'wt') as file:
        for s in SUBJECTS:
            split = 'test' if s.name in KEPT else 'train'
            for p, h, y, kind in dict.fromkeys(pairs(rng, s, named, size if split == 'train' else 150)):
                file.write(json.dumps({'p': p, 'h': h, 'y': y, 'subject': s.name, 'kind': kind, 'split': split}) + '\n')


if __name__ == '__main__':
    main(sys.argv[1])
