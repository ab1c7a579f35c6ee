import collections,os
P='/usr/share/wordnet/'
POS={'n':'noun','v':'verb','a':'adj','r':'adv'}
SYN={}   # (pos,off)->dict(w=[lemmas],hyp=[...],ex,gloss,deriv)
def load():
    for p,f in POS.items():
        for l in open(P+'data.'+f,encoding='latin1'):
            if l.startswith(' '): continue
            d,_,g=l.partition('|'); t=d.split(); off=int(t[0]); n=int(t[3],16); ws=[t[4+2*i] for i in range(n)]; k=4+2*n; m=int(t[k]); k+=1
            hyp=[];der=[];sim=[]
            for i in range(m):
                s,o,pp,st=t[k:k+4]; k+=4; pp='a' if pp=='s' else pp
                if s in('@','@i'): hyp.append((pp,int(o)))
                elif s=='+': der.append((pp,int(o)))
                elif s in('&','^','$'): sim.append((pp,int(o)))
            SYN[(p,off)]=dict(w=[w.replace('_',' ').split('(')[0] for w in ws],hyp=hyp,der=der,sim=sim,gloss=g.strip())
    IX=collections.defaultdict(list)
    for p,f in POS.items():
        for l in open(P+'index.'+f,encoding='latin1'):
            if l.startswith(' '): continue
            t=l.split(); n=int(t[2]); np_=int(t[3]); tag=int(t[5+np_]); offs=t[6+np_:6+np_+n]
            for r,o in enumerate(offs): IX[t[0].replace('_',' ')].append((p,int(o),r,tag))
    return SYN,IX
EXC=collections.defaultdict(list)
for p,f in POS.items():
    for l in open(P+f+'.exc'):
        t=l.split(); EXC[t[0]]+=[(p,x.replace('_',' ')) for x in t[1:]]
RULES={'n':[('s',''),('ses','s'),('xes','x'),('zes','z'),('ches','ch'),('shes','sh'),('men','man'),('ies','y')],'v':[('s',''),('ies','y'),('es','e'),('es',''),('ed','e'),('ed',''),('ing','e'),('ing','')],'a':[('er',''),('est',''),('er','e'),('est','e')],'r':[]}
